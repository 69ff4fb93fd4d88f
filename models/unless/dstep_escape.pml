/* A d_step as escape, and nested escapes made of d_steps: the outer one decides at once.
   Expected: holds; inner is never taken when both are open. */

byte x
bool a, b

active proctype p()
{
	{
		{ x == 9; skip } unless { d_step { a -> x = 1; x = 2 } }
	} unless { d_step { b -> x = 3; x = 4 } };
	assert(x == 4 || (x == 2 && a))
}

active proctype q()
{
	if
	:: atomic { a = true; b = true }
	:: b = true
	:: a = true; b = true
	fi
}
