/* Wrong: the break ends directly at a d_step, which counts as a jump into it; a skip between them would help. */

byte x

active proctype p()
{
	do
	:: x < 3 -> x++
	:: else -> break
	od;
	d_step { x = 5; x = 6 }
}
