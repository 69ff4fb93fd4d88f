// SPIN: a receive saves the array element of the old index, stores into that of
// the new one, and restores the wrong one. `a[0]` can be 1 only after the one
// message has been received, yet SPIN reports the assertion.
chan q = [2] of { byte, byte };
byte a[3];

active proctype Sender()
{
	q!0,1
}

active proctype Watch()
{
	assert(!(a[0] == 1 && len(q) == 1))
}

active proctype Receiver()
{
	byte i = 1;
end:	q?i,a[i]
}
