/* select with literal bounds is a choice of assignments: one step.
   Expected: holds. */

byte i, j

active proctype p()
{
	select (i : 2 .. 5);
	assert(i >= 2 && i <= 5);
	select (j : 7 .. 7);
	assert(j == 7)
}
