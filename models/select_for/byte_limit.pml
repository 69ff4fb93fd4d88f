/* A for over bytes whose upper bound is 254 ends with index 255; over 0 .. 255 it would never end.
   Expected: holds. */

byte i, n

active proctype p()
{
	for (i : 250 .. 254) { n++ };
	assert(i == 255 && n == 5)
}
