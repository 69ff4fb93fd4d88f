// SPIN: a name in the body of an inline is looked for among the mtype constants
// before the parameters. `msg` in the body is always the constant declared below,
// whatever the call says. `last` is given `done` only, yet SPIN reports the assertion.
// (With the mtype declaration first, SPIN refuses the parameter.)
inline keep(msg)
{
	last = msg
}

mtype = { msg, done };
mtype last;

active proctype P()
{
	keep(done);
	assert(last == done)
}
