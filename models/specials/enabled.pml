/* enabled(p) tests whether process p can take a step now; a missing process cannot.
   Expected: holds. */

byte x

active proctype blocked() { x == 1; x = 2 }

active proctype watch()
{
	assert(!enabled(0) && !enabled(7));
	x = 1;
	assert(enabled(0) || x == 2 || pc_value(0) == 0);
	if
	:: enabled(0) -> skip
	:: !enabled(0) -> skip
	fi
}
