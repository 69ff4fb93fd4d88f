// SPIN refuses `a[a[0]]`, but not `a[a[0] % 2]`. To undo such an assignment it computes the index
// again, which has changed by then: `a[0]` stays 1 in a state in which Writer has not moved, and
// SPIN reports the assertion.
byte a[2];

proctype Writer()
{
before:	a[a[0] % 2] = 1
}

active proctype Watch()
{
	assert(!(a[0] == 1 && Writer[2]@before))
}

init
{
	run Writer()
}
