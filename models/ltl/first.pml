/* A formula without name, placed before the variables' users; it is moved to the end of the model.
   Expected: the system is safe; the formula fails (x may stay at 0 for ever). */

byte x

ltl { <> (x == 2) }

active proctype p()
{
	do
	:: x < 2 -> x++
	:: x == 1 -> x = 0
	:: x == 0 -> skip; skip
	:: x == 2 -> break
	od
}
