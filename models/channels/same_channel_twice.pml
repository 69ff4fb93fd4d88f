/* Sends and receives of several processes on one channel, each receive with its own constants: a message at the
   head that suits only one process makes the others wait.  Expected: holds. */

mtype = { ping, pong }
chan q = [2] of { mtype, byte }
byte pings, pongs

active proctype a()
{
	do
	:: pings < 3 -> q!ping(pings); q?pong, eval(pings); pings++
	:: pings == 3 -> break
	od
}

active proctype b()
{
	byte n;
end:	do
	:: q?ping(n) -> q!pong(n); pongs++
	od
}

active proctype c()
{
end:	q??[pong, 2];
	assert(pings >= 2)
}
