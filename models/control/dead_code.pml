/* Statements that no path reaches, among them a failing assertion, a whole loop and a proctype that is never started.
   Expected: holds; the unreached parts are listed. */

byte x

proctype never_started() { assert(false) }

active proctype p()
{
	x = 1;
	goto out;
	assert(false);
	do
	:: x > 0 -> x--
	od;
out:	if
	:: x == 2 -> assert(false)
	:: x == 1
	fi
}
