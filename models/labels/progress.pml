/* progress labels mark the steps that must come again and again; the loop in starve passes none of them.
   Expected: safe; a search for non-progress cycles finds starve looping while good rests before its first step. */

bool hold

active proctype good()
{
	do
	:: hold = true;
progress: hold = false
	od
}

active proctype starve()
{
	do
	:: !hold -> skip
	:: hold -> break
	od
}
