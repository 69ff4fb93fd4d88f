/* Exclusive use promised through channel parameters, and for several channels in one line.
   Expected: holds. */

chan left = [1] of { byte }
chan right = [1] of { byte }

proctype stage(chan in, out; byte add)
{
	xr in;
	xs out;
	byte v;
	in?v;
	out!v + add
}

init {
	xs left;
	byte v;
	atomic { run stage(left, right, 5) };
	left!1;
	right?v;
	assert(v == 6)
}
