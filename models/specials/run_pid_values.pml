/* The value of run, _pid and _nr_pr seen together, with the pid sent as a message and used as remote index.
   Expected: holds. */

chan c = [2] of { pid, byte }

proctype w(byte n)
{
	c!_pid, n;
end_here: n == 0
}

init {
	pid a, b, who;
	byte n;
	atomic { a = run w(1); b = run w(2) };
	assert(a == 1 && b == 2 && _nr_pr == 3);
	c??eval(b), n;
	assert(n == 2 && w[b]@end_here && !w[0]@end_here);
	c?who, n;
	assert(who == a && w[a]:n == 1);
end:	false
}
