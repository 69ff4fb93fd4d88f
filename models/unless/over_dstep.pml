/* For a d_step only its guard can be left; once begun it finishes and the escape comes afterwards.
   Expected: holds. */

byte x
bool alarm

active proctype p()
{
	{
		d_step { x == 0 -> x = 1; alarm = true; x = 2 };
		x = 99
	} unless {
		alarm -> assert(x == 2 || x == 0)
	};
	x = x + 1;
	assert(x == 3 || x == 1)
}

active proctype q()
{
	if
	:: x == 0 -> alarm = true
	:: x == 0
	:: else
	fi
}
