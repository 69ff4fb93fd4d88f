/* Every process that can take the message is a separate branch of the handshake; nothing is stored in between.
   Expected: holds; got records each of the three outcomes. */

chan c = [0] of { byte }
byte got

active [3] proctype taker()
{
end:	c?1;
	got = got * 4 + _pid + 1
}

active proctype giver()
{
	c!1;
	c!1;
	assert(got < 16)
}
