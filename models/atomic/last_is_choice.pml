/* The last statement of an atomic is a choice or a loop: each of its options ends the exclusive run, the loop's
   break too.  Expected: holds. */

byte x

active proctype p()
{
	atomic {
		x = 1;
		if
		:: x == 1 -> x = 2
		:: x = 3; x = 4
		fi
	};
	atomic {
		do
		:: x < 6 -> x++
		:: x >= 6 -> break
		od
	};
	x = 0
}

active proctype q() { assert(x != 1 && x != 3 && x != 5) }
