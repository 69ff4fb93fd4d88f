/* np_ in a never claim holds while no process is at a progress label.
   Expected: safe without the claim; the claim finds the loop without progress. */

byte x

active proctype p()
{
	do
	:: x == 0 -> x = 1;
progress:  x = 0
	:: x == 0 -> x = 2; x = 0
	od
}

never {
	do
	:: np_ -> goto accept
	:: true
	od;
accept:	do
	:: np_
	od
}
