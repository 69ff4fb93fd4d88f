/* Wrong: an #ifdef that is never closed. */

byte x

active proctype p()
{
	x = 1
}

#ifdef NOTHING
byte y
