/* A jump into the middle of an atomic: the first step there is ordinary, the rest exclusive.
   Expected: holds. */

byte x

active proctype p()
{
	goto middle;
	atomic {
		x = 10;
middle:		x = 1;
		x = 2;
		x = 3
	};
	x = 4;
	if
	:: x == 4 -> goto middle
	:: skip
	fi
}

active proctype watch()
{
	assert(x != 1 && x != 2)
}
