// SPIN: to undo a receive it puts back what the variable holds. A value that
// was cut to the width of the variable comes back as another message. Only the
// value 2 is ever sent, yet SPIN reports the assertion.
chan q = [1] of { byte };

active proctype Sender()
{
	q!2
}

active proctype Other()
{
end:	q?0;
	assert(false)
}

active proctype Receiver()
{
	bool b;
end:	q?b
}
