/* Arrow and semicolon are the same, a line break can end a statement, surplus semicolons are ignored.
   Expected: holds. */

byte x

active proctype p()
{
	x = 1 -> x = 2 -> assert(x == 2)
	x++
	x--
	if
	:: x == 2
		x = 5
		x = (x +
			1)
	:: else x = 9
	fi
	assert(x == 6)
	{ x = 7 };
	do :: x > 5 -> x--;
	   :: else; break;
	od
	atomic { x++; x++ }
	d_step { x = 0; };
	assert(x == 0);
}
