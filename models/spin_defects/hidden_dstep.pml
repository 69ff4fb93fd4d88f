// SPIN: a d_step does not set hidden variables back when it is undone, and a
// receive puts back what its variable holds. Only the value 1 is ever sent,
// yet SPIN reports the assertion.
chan q = [1] of { byte };
hidden byte h;
byte x;

active proctype Sender()
{
	q!1
}

active proctype Other()
{
end:	q?0;
	assert(false)
}

active proctype Receiver()
{
end:	q?h
}

active proctype Clear()
{
	(x == 0 && len(q) == 0);
	d_step { x = 1; h = 0 };
	x = 2
}
