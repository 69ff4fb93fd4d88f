/* Wrong: an assignment is no expression. */

byte x, y

active proctype p()
{
	x = y = 1
}
