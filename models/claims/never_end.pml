/* A never claim for a forbidden order of values: x reaches 3 while y is still 0.
   Expected: with the claim, its end is reached. */

byte x, y

active proctype p() { do :: x < 4 -> x++ :: x == 4 -> break od }
active proctype q() { y = 1 }

never {
	do
	:: x == 3 && y == 0 -> break
	:: else
	od
}
