// SPIN: merging makes `h = true; x = 1; x = 2` one step, after which the receiver is
// ready and the atomic sequence of the sender is never interrupted. One step earlier
// the send has to wait, and the observer sees `g` (`-o3` finds the error).
chan c = [0] of { bit };
bool g, h;

active proctype Receiver()
{
	byte x;
	atomic { h = true; x = 1 };
	x = 2;
	atomic { c?_; g = false }
}

active proctype Sender()
{
	atomic { h; g = true; c!0 }
}

active proctype Observer()
{
end:	g;
	assert(false)
}
