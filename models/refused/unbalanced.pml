/* Wrong: the selection is closed with od. */

byte x

active proctype p()
{
	if
	:: x == 0 -> x = 1
	:: x == 1
	od
}
