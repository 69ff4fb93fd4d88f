/* A condition blocks while it is 0 and passes on any other value, also negative ones; assignments and
   comparisons mix freely in expressions.  Expected: deadlock only after the last guard, which is 0. */

int n = -3
byte steps

active proctype p()
{
	n;              steps++
	n + 4;          steps++
	(n == -3) + 1;  steps++
	-1;             steps++
	!(n + 3) -> steps++
	assert(steps == 5)
	n + 3           /* zero for ever */
	assert(false)
}
