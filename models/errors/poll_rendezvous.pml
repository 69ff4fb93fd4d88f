/* A test of the contents of a rendezvous channel.
   Expected: error to poll a rendezvous channel. */

chan c = [0] of { byte }
byte x

active proctype s() { c!1 }
active proctype r()
{
	if
	:: c?[1] -> x = 1
	:: x == 0 -> c?x
	fi
}
