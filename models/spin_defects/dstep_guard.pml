// SPIN: to find out whether a d_step that starts with a choice can be executed, it
// looks only at options that start with a condition, a send or a receive. Here the
// first option is an assignment, which can always be executed, and the assertion
// is violated: SPIN does not notice. (The same option alone is executed.)
byte x, y;

active proctype P()
{
	d_step {
		if
		:: x = 1
		:: y == 2 -> x = 2
		fi;
		y = 1
	};
	assert(x == 2)
}
