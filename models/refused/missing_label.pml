/* Wrong: goto a label that does not exist. */

byte x

active proctype p()
{
	x = 1;
	goto nowhere
}
