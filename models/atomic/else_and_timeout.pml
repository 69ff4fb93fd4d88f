/* timeout inside an atomic as its first and as an inner statement, beside an else in the same process.
   Expected: holds. */

byte x

active proctype p()
{
	atomic {
		timeout -> x = 1;
		if
		:: x == 5 -> assert(false)
		:: else -> x = 2
		fi;
		timeout;
		x = 3
	}
}

active proctype q()
{
	x == 2 -> x = 4;
	x == 3 -> x = 5
}
