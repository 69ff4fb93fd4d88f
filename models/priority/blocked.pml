/* A process of high priority that is blocked lets the others run, and interrupts them once it is enabled,
   even between the steps of an atomic.  Expected: holds. */

byte x

active proctype high() priority 9
{
	x == 1 -> x = 5;
	x == 7 -> x = 8
}

active proctype low() priority 2
{
	atomic { x = 1; assert(x == 5); x = 6 };
	x = 7;
	assert(x == 8)
}
