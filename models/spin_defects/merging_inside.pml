// SPIN: merging makes one move of the atomic sequence and of what follows it, up to
// where the process takes a message. Between the two the other one finds nobody who
// does (`-o3` finds the error).
bool g;
chan c = [0] of { byte };

active proctype Receiver()
{
	byte x, y;
	atomic { g = 1; skip };
	y = x;
	x = 1;
	c?x
}

active proctype Sender()
{
	g;
	if
	:: c!2
	:: else -> assert(false)
	fi
}
