/* A structure that holds a channel and travels through another channel.
   Expected: holds. */

typedef port { byte who; chan reply = [1] of { byte } }
typedef call { chan back; byte n }

port ports[2]
chan requests = [1] of { call }

active [2] proctype client()
{
	byte r;
	call c;
	c.back = ports[_pid].reply;
	c.n = 10 * _pid;
	requests!c;
	ports[_pid].reply?r;
	assert(r == 10 * _pid + 1)
}

active proctype server()
{
	call c;
end:	do
	:: requests?c -> c.back!c.n + 1
	od
}
