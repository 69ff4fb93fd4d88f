/* Wrong: an assignment without right side. */

byte x

active proctype p()
{
	x = ;
	x = 2
}
