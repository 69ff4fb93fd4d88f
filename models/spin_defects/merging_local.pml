// SPIN: a global that is declared `local` may be used by one process only; that two
// use it is not noticed, merging makes `g = 1; g = 2` one step, and the value between
// is never seen (`-o3` finds the error).
local byte g;

active proctype Writer()
{
	g = 1;
	g = 2
}

active proctype Reader()
{
	byte x;
	x = g;
	assert(x != 1)
}
