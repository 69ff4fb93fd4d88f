/* An unsigned field is read as a plain int, so "0 - 1 < 0" holds and no wrap happens before the store.
   Expected: every assertion holds. */

unsigned a : 1
unsigned b : 5 = 31
unsigned c : 31

active proctype p()
{
	assert(a - 1 < 0)
	assert(b + 1 == 32)
	b = b + 1;
	assert(b == 0)
	c = -1;
	assert(c == 2147483647)
	a = 3;
	assert(a == 1)
	if
	:: a - 2 > 0 -> assert(false)
	:: a - 2 < 0 -> skip
	fi
}
