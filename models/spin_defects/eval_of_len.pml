// SPIN: to undo a receive it evaluates eval(...) again, after the message has
// left the channel. Here the length has changed by then, so another message is
// put back. Only the value 1 is ever sent, yet SPIN reports the assertion.
chan q = [2] of { byte };

active proctype Sender()
{
	q!1
}

active proctype Other()
{
	q?0;
	assert(false)
}

active proctype Receiver()
{
end:	q?eval(len(q))
}
