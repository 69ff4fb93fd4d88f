/* Wrong: a jump out of a d_step. */

byte x

active proctype p()
{
	d_step {
		x = 1;
		if
		:: x == 1 -> goto out
		:: x == 2
		fi;
		x = 3
	};
	x = 4;
out:	skip
}
