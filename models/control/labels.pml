/* Several labels on one statement, a label that ends a body, a label on skip and one that only joins.
   Expected: holds. */

byte n

active proctype p()
{
one:
two:	n++;
	if
	:: n < 3 -> goto two
	:: n == 3 -> goto one
	:: n > 3 -> goto lone
	fi;
lone:	skip;
	n = 0;
	if
	:: n == 0 -> goto last
	:: n == 1
	fi;
	assert(false);
last:
}
