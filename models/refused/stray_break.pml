/* Wrong: break outside of any loop. */

byte x

active proctype p()
{
	if
	:: x == 0 -> break
	:: x == 1
	fi
}
