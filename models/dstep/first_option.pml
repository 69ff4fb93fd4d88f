/* A d_step is deterministic: at each choice the first executable option in source order is taken.
   Expected: holds; r is always 1 and never 2. */

byte x, r

active [2] proctype p()
{
	d_step {
		x++;
		if
		:: x > 5 -> r = 3
		:: x > 0 -> r = 1
		:: true  -> r = 2
		fi;
		do
		:: x < 4 -> x++
		:: else -> break
		od;
		x = 0
	}
	assert(r == 1 && x == 0)
}
