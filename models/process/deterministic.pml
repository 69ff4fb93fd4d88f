/* D_proctype promises that at most one step is possible in each state; this one keeps the promise.
   Expected: holds. */

byte x

active D_proctype p()
{
	do
	:: x < 3 -> x++
	:: x == 3 -> break
	od
}

active D_proctype q()
{
	if
	:: x == 2 -> skip
	:: x != 2 -> skip
	fi
}
