// SPIN: with partial order reduction a process that is at its end goes at once, since
// that is thought to be nobody's business. But processes may stay there until there are
// too many to start another one (`-DREVERSE`, which only changes the order, finds it).
proctype Visitor()
{
	skip
}

init
{
	short i;
	do
	:: i < 260 -> run Visitor(); i++
	:: else -> break
	od
}
