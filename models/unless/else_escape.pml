/* An escape guarded by else leaves at once, since nothing else of the escape is open.
   Expected: holds; the main part never runs. */

byte x

active proctype p()
{
	{
		x = 1;
		x = 2
	} unless {
		if
		:: x == 5 -> skip
		:: else -> x = 9
		fi
	};
	assert(x == 9)
}
