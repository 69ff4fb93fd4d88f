/* A d_step may start with a rendezvous receive: the whole sequence is the receiving half of the handshake.
   Expected: holds. */

chan c = [0] of { byte }
byte total

active proctype sender()
{
	c!1; c!2; c!3
}

active proctype receiver()
{
	byte v;
end:	do
	:: d_step { c?v; total = total + v; v = 0 }
	od
}

active proctype watch()
{
	assert(total == 0 || total == 1 || total == 3 || total == 6)
}
