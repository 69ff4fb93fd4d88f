/* Consecutive skips: inside an option they collapse, in a plain body each one is a step.
   Expected: holds; the two processes have different numbers of control states. */

active proctype plain()
{
	skip; true; (1); skip
}

active proctype optioned()
{
	if
	:: skip; skip; skip; true
	:: true; skip; assert(true); skip; skip
	:: skip
	fi
}
