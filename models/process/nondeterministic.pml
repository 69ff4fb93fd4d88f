/* A D_proctype in which two steps are possible at once.
   Expected: an error is reported for p. */

byte x

active D_proctype p()
{
	x++;
	if
	:: x == 1 -> x = 2
	:: x > 0 -> x = 3
	fi
}
