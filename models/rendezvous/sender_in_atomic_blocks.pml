/* The sender stays inside its atomic after the handshake but has lost its right; it takes it back at its next inner step.
   Expected: holds; between the two halves the receiver or the third process may run. */

chan c = [0] of { byte }
byte seen, x

active proctype s()
{
	atomic { c!1; x = 1; x = 2; c!2; x = 3; x = 4 }
}

active proctype r()
{
	byte v;
	c?v;
	seen = seen + v;
	c?v;
	seen = seen + v
}

active proctype t()
{
	assert(x != 1 && x != 3);
	assert(x != 1 && x != 3)
}
