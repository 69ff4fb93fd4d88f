// SPIN: merging makes `g = true; x = 1; _priority = 3` one step, after which only this
// process moves. Before its priority rises the other one can (`-o3` finds the error).
bool g;

active proctype Rising()
{
	byte x;
	atomic { g = true; x = 1 };
	_priority = 3;
	do
	:: x = 1 - x
	od
}

active proctype Other()
{
	g;
	assert(false)
}
