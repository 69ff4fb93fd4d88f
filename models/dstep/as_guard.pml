/* A d_step as an option next to else: else is closed exactly when the first statement of the d_step is executable.
   Expected: holds. */

byte x

active proctype p()
{
	do
	:: d_step { x < 5 -> x++; x++ }
	:: else -> break
	od;
	assert(x == 6)
}

active proctype q()
{
	byte seen = x;
	seen = x;
	assert(seen % 2 == 0)
}
