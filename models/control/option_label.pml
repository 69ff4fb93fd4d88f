/* A label on the first statement of an option is accepted with a complaint; jumping there skips the siblings.
   Expected: holds. */

byte x

active proctype p()
{
	do
	:: again: x < 3 -> x++; goto again
	:: x >= 3 -> break
	od;
	assert(x == 3)
}
