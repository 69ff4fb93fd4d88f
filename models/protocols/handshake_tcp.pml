/* A three-way handshake with simultaneous closing over unreliable one-place channels; resend by timeout, limited loss.
   Expected: holds; the server never sees data before the connection is open. */

mtype = { syn, synack, ack, fin, finack }
chan up = [1] of { mtype }
chan down = [1] of { mtype }
byte lost
mtype client_state, server_state

inline send(c, m)
{
	if
	:: c!m
	:: lost < 2 && nfull(c) -> lost++
	fi
}

active proctype client()
{
	send(up, syn);
	do
	:: down?synack -> break
	:: timeout -> send(up, syn)
	od;
	client_state = ack;
	send(up, ack);
	do
	:: down?synack -> send(up, ack)
	:: atomic { empty(down) -> send(up, fin) }; break
	od;
	do
	:: down?finack -> break
	:: down?synack -> send(up, ack)
	:: timeout -> send(up, fin)
	od;
	client_state = fin
}

active proctype server()
{
	up?syn;
	send(down, synack);
end:	do
	:: up?syn -> send(down, synack)
	:: up?ack -> assert(client_state == ack || client_state == fin); server_state = ack
	:: up?fin -> assert(client_state != 0); server_state = fin; send(down, finack)
	od
}
