/* A choice inside a d_step has no open option.
   Expected: block in d_step. */

byte x

active proctype p()
{
	d_step {
		x++;
		if
		:: x == 0 -> skip
		:: x > 1 -> skip
		fi
	}
}
