/* Request and reply over rendezvous channels with two clients and a server that serves one at a time.
   Expected: holds; the reply always belongs to the request. */

chan req = [0] of { byte, byte }
chan rep[2] = [0] of { byte }
byte served

active [2] proctype client()
{
	byte r;
	req!_pid, _pid + 5;
	rep[_pid]?r;
	assert(r == (_pid + 5) * 2)
}

active proctype server()
{
	byte who, v;
end:	do
	:: req?who, v ->
		rep[who]!v * 2;
		served++
	od
}
