/* Channels as values: sent in messages, passed as arguments, stored in arrays and compared.
   Expected: holds; each client gets its own answer. */

mtype = { ask, answer }
chan server = [1] of { mtype, chan, byte }

active proctype serve()
{
	chan back;
	byte n, i;
	for (i : 1 .. 2) {
		server?ask(back, n);
		assert(back != server);
		back!answer(n + 1)
	}
}

proctype client(chan out; byte n)
{
	chan in = [1] of { mtype, byte };
	byte r;
	out!ask(in, n);
	in?answer(r);
	assert(r == n + 1)
}

init {
	chan alias[2];
	alias[1] = server;
	atomic { run client(alias[1], 10); run client(server, 20) }
}
