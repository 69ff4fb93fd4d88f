/* The fields of a message are assigned from left to right, so an index may use the field before it.
   Expected: holds. */

chan q = [2] of { byte, byte, byte }
byte i, a[3], b[3]

active proctype p()
{
	q!2, 7, 8;
	q?i, a[i], b[i];
	assert(i == 2 && a[2] == 7 && b[2] == 8 && a[0] == 0);
	q!0, 1, 2;
	q?b[i], i, a[i];
	assert(b[2] == 0 && i == 1 && a[1] == 2)
}
