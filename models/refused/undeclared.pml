/* Wrong: y was never declared. */

byte x

active proctype p()
{
	x = y + 1
}
