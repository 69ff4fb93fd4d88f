/* Two clients ask a broker for a reference, then a server for a reply. A client may give up its
   request; a full server then waits for a place at the broker, which waits for one at the server.
   Expected: deadlock. */

mtype = { request, cancel, reply }
chan to_broker = [2] of { mtype, byte }
chan to_server = [1] of { mtype, byte }
chan to_client[2] = [1] of { mtype }

active [2] proctype client()
{
	byte id = _pid;
	do
	:: to_broker!request(id);
		if
		:: to_client[id]?reply
		:: to_broker!cancel(id); to_client[id]?reply
		fi
	od
}

active proctype broker()
{
	mtype what;
	byte id;
end:	do
	:: to_broker?what(id) ->
		if
		:: what == request -> to_server!request(id)
		:: what == cancel -> to_server!cancel(id)
		:: what == reply -> to_client[id]!reply
		fi
	od
}

active proctype server()
{
	byte id;
end:	do
	:: to_server?request(id) -> to_broker!reply(id)
	:: to_server?cancel(id) -> skip
	od
}
