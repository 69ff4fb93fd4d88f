/* Functions of C that work on the state of the model, and print. */
c_decl {
	\#include <string.h>
	\#define SIZE 4
	int largest(const unsigned char *list, int length);
}
byte list[4];
byte best;

c_code {
	int largest(const unsigned char *list, int length)
	{
		int best = 0, i;
		for (i = 0; i < length; i++)
			if (list[i] > best)
				best = list[i];
		return best;
	}

	void note(void)
	{
		now.best = largest(now.list, SIZE);
	}
}

active [2] proctype Writer()
{
	byte i;
	do
	:: i < 2 -> c_code { now.list[PWriter->_pid * 2 + PWriter->i] = 10 * PWriter->_pid + PWriter->i; note(); }; i++
	:: else -> break
	od;
	c_code { printf("best %d of %s\n", now.best, "all"); };
	assert(best <= 11)
}
