// SPIN: with priorities, the bytes of a process that hold its bits are taken
// for padding and not compared. Two states that differ in `b` become one, and
// the violated assertion is missed (`-DNOCOMP` finds it).
bit f;
byte g;

proctype P(bool b)
{
	b = f;
	assert(b == 0)
}

init
{
	run P(0);
	f = 1;
	g = get_priority(_pid)
}
