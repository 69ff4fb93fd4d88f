/* A failing assertion does not stop its process: later ones on the same path fail as well.
   Expected: three assertion violations when the search continues, then an invalid end state. */

byte x

active proctype p()
{
	assert(x == 1);
	x = 2;
	atomic { assert(x == 0); x = 3 };
	d_step { assert(x == 0); x = 4 };
	x == 0
}
