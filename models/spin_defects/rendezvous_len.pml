// SPIN: while a rendezvous is half done, its channel has length 1, and the
// provided clause of the receiver sees it. Nothing ever rests in a rendezvous
// channel, so B may always move; it receives and violates the assertion. SPIN
// never lets it receive and does not notice.
chan q = [0] of { byte };

active proctype A()
{
end:	q!1
}

active proctype B() provided (len(q) == 0)
{
end:	q?1;
	assert(false)
}
