// SPIN: after a sorted send a trace declaration is shown the last message of
// the channel, not the one that was sent. The messages are sent in the order
// the trace asks for, yet SPIN reports a violation.
chan q = [3] of { byte };

trace {
	q!2;
	q!1
}

active proctype P()
{
	q!!2;
	q!!1
}
