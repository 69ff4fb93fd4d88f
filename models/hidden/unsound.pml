/* A hidden variable that decides what happens later: states that differ only in it are taken for equal.
   Expected: the search misses the assertion violation; the counts show the merged states. */

hidden byte secret
byte x

active proctype p()
{
	if
	:: secret = 1
	:: secret = 2
	fi;
	x = 1;
	assert(secret == 1)
}
