/* A hidden variable is not part of the state: here it is set before each use, so nothing is lost.
   Expected: holds; fewer states than with an ordinary variable. */

hidden byte scratch
byte x

active proctype p()
{
	do
	:: x < 4 -> scratch = x * 3; x++
	:: x < 4 -> scratch = 7; x++
	:: x == 4 -> break
	od;
	skip;
	d_step { scratch = x; x = scratch + 1 };
	assert(x == 5)
}
