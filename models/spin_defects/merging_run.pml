// SPIN: merging makes `g = true; x = 1; x = run Idle()` one step. The observer may
// well look before the process is there (`-o3` finds the error).
bool g;

active proctype Starter()
{
	byte x;
	atomic { g = true; x = 1 };
	x = run Idle();
	x = 0
}

active proctype Observer()
{
	g;
	assert(_nr_pr == 3)
}

proctype Idle()
{
end:	false
}
