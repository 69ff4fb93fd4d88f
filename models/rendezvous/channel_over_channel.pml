/* A rendezvous channel sent over a rendezvous channel, then used for a private talk.
   Expected: holds. */

chan public = [0] of { chan }

active [2] proctype client()
{
	chan private = [0] of { byte };
	byte r;
	public!private;
	private?r;
	assert(r == 5)
}

active proctype server()
{
	chan c;
end:	do
	:: public?c -> c!5
	od
}
