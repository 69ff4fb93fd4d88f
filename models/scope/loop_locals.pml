/* A local of a loop body keeps its slot in the state between rounds until it is declared again: counts show it.
   Expected: holds. */

byte n

active proctype p()
{
	do
	:: n < 3 ->
		byte k = n * 2;
		n++
	:: n == 3 -> break
	od;
	n = 0
}
