/* A d_step that starts with a choice containing else is always executable; one that starts with a plain choice waits.
   Expected: holds. */

byte x, y

active proctype p()
{
	d_step {
		if
		:: x > 10 -> y = 1
		:: else -> y = 2
		fi;
		x++
	};
	d_step {
		if
		:: x == 3 -> y = 3
		:: x == 4 -> y = 4
		fi;
		x = 0
	}
	assert(y == 3)
}

active proctype q() { x > 0; x++; x++ }
