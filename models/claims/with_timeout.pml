/* A claim next to a model that uses timeout and stops: the claim goes on alone after the end.
   Expected: safe; with the claim its end is reached, since the last state repeats. */

byte x

active proctype p() { x = 1; timeout -> x = 2 }

never {
	do
	:: x == 2 -> break
	:: x < 2
	od;
	x == 2;
	x == 2;
	x == 2
}
