/* A lock that does not lock: looking at the flag and setting it are two separate steps.

   The story the checker will tell: process 0 sees that nobody is busy; before it can say "busy",
   process 1 looks too and also sees nobody; both go in.

   Expected: assertion violated after a few steps.
   The cure: write  atomic { !busy -> busy = true }  so that nothing can come between. */

bool busy
byte inside

active [2] proctype user()
{
	!busy;              // wait until nobody is inside ...
	busy = true;        // ... and enter. Too late: the other may have done the same.

	inside++;
	assert(inside == 1);
	inside--;

	busy = false
}
