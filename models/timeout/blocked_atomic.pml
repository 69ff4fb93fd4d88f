/* A blocked atomic gives up its right before timeout is considered, so the waiting partner wakes first.
   Expected: holds; late is never set. */

byte x
bool late

active proctype p()
{
	atomic {
		x = 1;
		x == 2;
		x = 3
	}
}

active proctype q()
{
	x == 1;
	x = 2
}

active proctype r()
{
	if
	:: timeout -> late = (x != 3)
	fi;
	assert(!late)
}
