/* Leaving an atomic by goto keeps the jump as an ordinary step when the target lies outside.
   Expected: holds; compare with goto_between, where the target is in another atomic. */

byte x

active proctype p()
{
	atomic {
		x = 1;
		if
		:: x == 1 -> x = 2; goto out
		:: x == 1 -> x = 5
		fi;
		x = 6
	};
	x = 7;
out:	x++
}

active proctype q()
{
	assert(x != 1 && x != 5)
}
