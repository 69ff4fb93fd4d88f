/* As rv_handover, but the receive is the last statement of its atomic and the send the last of its own:
   after the handshake everybody may run.  Expected: holds; more interleavings than in rv_handover. */

chan c = [0] of { byte }
byte x

active proctype sender()
{
	atomic { x = 1; c!1 };
	x = 2
}

active proctype receiver()
{
	byte v;
	atomic { v = 9; c?v };
	assert(v == 1);
	x = 3
}

active proctype other()
{
	x = 4
}
