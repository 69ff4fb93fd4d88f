/* else is considered after all other options wherever it is written, and not when a sibling can run.
   Expected: holds; the else branch runs exactly when x is neither 1 nor 2. */

byte x, seen

active proctype choose()
{
	if
	:: x = 1
	:: x = 2
	:: x = 3
	fi;
	if
	:: else -> seen = 3
	:: x == 1 -> seen = 1
	:: x < 3 -> seen = 2
	fi;
	assert(seen == x || (x == 1 && seen == 2))
	do
	:: else
		break
	:: x > 0 -> x--
	od;
	assert(x == 0)
}
