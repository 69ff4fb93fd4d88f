/* run inside an atomic: the child exists at once but waits until the atomic is over; local initialisers see the
   globals of that moment.  Expected: holds. */

byte g

proctype child(byte want)
{
	byte at = g;
	assert(at == want && g == 9)
}

init {
	atomic {
		g = 1; run child(1);
		g = 2; run child(2);
		g = 9
	}
}
