/* A process that starts a copy of itself and waits for the answer on a local channel: factorial of 4.
   Expected: holds. */

proctype fact(byte n; chan up)
{
	chan down = [1] of { int };
	int r;
	if
	:: n <= 1 -> up!1
	:: n > 1 ->
		run fact(n - 1, down);
		down?r;
		up!n * r
	fi
}

init {
	chan result = [1] of { int };
	int r;
	run fact(4, result);
	result?r;
	assert(r == 24)
}
