/* The escape is attached to the statements inside an atomic too: if the atomic blocks, the escape can take over.
   Expected: holds; x ends as 1 or 3, then the escape adds 10. */

byte x
bool alarm

active proctype p()
{
	{
		atomic { x = 1; alarm; x = 2 };
		x = 3
	} unless {
		alarm && x > 0 -> x = x + 10
	};
	assert(x == 11)
}

active proctype q()
{
	skip;
	alarm = true
}
