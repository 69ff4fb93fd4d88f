// SPIN: merging makes `g = true; x = 1; x = 2` one step, so nobody is ever seen
// between `g` and the receive. But there the send finds no receiver, and `else`
// leads to the assertion (`-o3` finds it).
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
	if
	:: c!0
	:: else -> assert(false)
	fi
}
