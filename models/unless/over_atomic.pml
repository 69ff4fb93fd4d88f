/* The escape is attached to the statements inside an atomic too: if the atomic blocks, the escape can take over.
   Expected: holds; the alarm always comes while x is 1, and the escape wins over the rest of the atomic. */

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
