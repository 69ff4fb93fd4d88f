// SPIN: with a trace declaration, a rendezvous send is executed although
// nobody receives: it reports the assertion.
chan watched = [2] of { byte };
chan hand = [0] of { byte };

trace {
	watched!0
}

active proctype P()
{
end:	hand!1;
	assert(false)
}
