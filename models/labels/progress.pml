/* progress labels mark the steps that must come again and again; starve is a loop without any.
   Expected: safe; a search for non-progress cycles finds one. */

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
	:: hold -> skip
	:: !hold -> break
	od
}
