/* Wrong: the local x has the name of a global. */

byte x

active proctype p()
{
	byte x;
	x = 1
}
