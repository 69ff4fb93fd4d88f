/* q?<x> reads without removing, q??<..> does so anywhere in the queue, and q?[..] only tests.
   (The C preprocessor may remark that the second looks like a trigraph.)
   Expected: holds. */

chan q = [3] of { byte, byte }
byte a, b

active proctype p()
{
	q!1, 5; q!2, 6;
	q?<a, b>;      assert(a == 1 && b == 5 && len(q) == 2);
	q??<2, b>;     assert(b == 6 && len(q) == 2);
	a = 9; b = 9;
	assert(q?[1, 5]);
	assert(!q?[2, 6] && q??[2, 6]);
	if
	:: q?[a, b] -> assert(a == 9 && b == 9)       /* variables match anything and are not set */
	:: else -> assert(false)
	fi;
	assert(q??[eval(a - 7), eval(b - 3)]);
	q?a, _;
	assert(a == 1);
	q?_, b;
	assert(b == 6)
}
