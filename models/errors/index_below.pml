/* A read with a negative index, reached only on one branch of a choice.
   Expected: invalid array index. */

byte first
byte a[3] = { 1, 1, 1 }
int i

active proctype p()
{
	if
	:: i = 1
	:: i = 0
	fi;
	assert(a[i - 1] >= 0);
	i = 2
}
