/* A handshake needs matching constants; an offer nobody matches leaves the sender where it is, in a choice
   the other options remain.  Expected: holds. */

mtype = { left, right }
chan c = [0] of { mtype, byte }
byte x

active proctype s()
{
	do
	:: c!left(1) -> x = x + 1
	:: c!right(2) -> x = x + 10
	:: x > 20 -> break
	od
}

active proctype r()
{
	byte v;
	c?right, v;
	c?left(eval(v - 1));
	c?right(2);
end:	c?_, v;
	assert(v == 1 || v == 2);
	x = 21
}
