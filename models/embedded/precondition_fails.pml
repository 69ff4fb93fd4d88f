/* A condition in front of C code that does not always hold. */
byte i;

active [2] proctype A()
{
	i++;
	c_code [now.i == 1] { now.i = 1; }
}
