// SPIN: merging makes `g = true; x = 1; x = 2` one step, after which the process is at
// the label that the other one looks for. One step earlier it is not (`-o3` finds the
// error).
bool g;

active proctype First()
{
	byte x;
	atomic { g = true; x = 1 };
	x = 2;
end_there:
	false
}

active proctype Observer()
{
	g;
	assert(First@end_there)
}
