/* break as the whole option is a step, break after a guard is not; it leaves the innermost loop only.
   Expected: holds. */

byte x, y

active proctype p()
{
	do
	:: x < 2 ->
		x++;
		do
		:: y < x -> y++
		:: break
		od
	:: x == 2 -> break
	od;
	assert(x == 2 && y <= 2);
	do
	:: break
	od
}
