/* A label on the first statement of an option is accepted with a complaint; a jump there leaves the siblings out.
   Expected: invalid end state with x == 3, since the second option is not open at the label. */

byte x

active proctype p()
{
	do
	:: again: x < 3 -> x++; goto again
	:: x >= 3 -> assert(false)
	od
}
