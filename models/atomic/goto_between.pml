/* A jump from one atomic into another stays exclusive all the way.
   Expected: holds; watch only sees 0 and 4. */

byte x

active proctype p()
{
	atomic {
		x = 1;
		x = 2;
		goto other
	};
	assert(false);
	atomic {
		x = 9;
other:		x = 3;
		x = 4
	}
}

active proctype watch()
{
	assert(x == 0 || x == 4);
	assert(x == 0 || x == 4)
}
