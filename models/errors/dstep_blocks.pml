/* The second statement of a d_step cannot run.
   Expected: block in d_step. */

byte x

active proctype p()
{
	x = 1;
	d_step { x > 0 -> x = 2; x == 3; x = 4 }
}
