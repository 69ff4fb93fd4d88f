// SPIN: merging makes `g = true; x = 1; x = 2` one step, after which the receiver
// is ready and the escape always comes first. One step earlier it cannot, and the
// assertion is reached (`-o3` finds it).
chan c = [0] of { bit };
bool g;

active proctype Receiver()
{
	byte x;
	atomic { g = true; x = 1 };
	x = 2;
	c?_
}

active proctype Sender()
{
	g;
	{ assert(false) } unless { c!0 }
}
