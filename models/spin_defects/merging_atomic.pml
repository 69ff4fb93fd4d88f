// SPIN: merging makes the atomic sequence one step. But a process of higher priority
// moves as soon as it can, also into an atomic sequence (`-o3` finds the error).
bool g, h;

active proctype Low()
{
	atomic { g = true; h = true }
}

active proctype High() priority 4
{
	g;
	assert(h)
}
