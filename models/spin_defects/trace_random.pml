// SPIN: after a receive from the middle a trace declaration is shown the first
// message of the channel, not the one that was received. It reports a violation.
chan q = [3] of { byte };

trace {
	q?1
}

active proctype P()
{
	q!0;
	q!1;
	q??1
}
