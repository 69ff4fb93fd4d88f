/* enabled() applied to the process that asks.
   Expected: an error when it is evaluated. */

byte x

active proctype p()
{
	x = 1;
	if
	:: enabled(_pid) -> x = 2
	:: x == 1 -> x = 3
	fi
}
