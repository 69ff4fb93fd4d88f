/* The main part and the escape leave by goto and break; the escape of an inner unless is itself covered by the outer one.
   Expected: holds. */

byte x, level
bool e1, e2

active proctype p()
{
	do
	:: x < 3 ->
		{
			{ x++; e1 || x > 0; skip } unless { e1 -> level = 1; level = 11; goto out }
		} unless { e2 -> level = 2; break }
	:: x == 3 -> goto out
	od;
	assert(level == 2 || level == 0);
out:	skip
}

active proctype q() { e1 = true; e2 = true }
