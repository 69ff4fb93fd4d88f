/* Sums of narrow variables do not wrap in comparisons, indices or messages, only when stored.
   Expected: holds. */

chan q = [1] of { int, byte }
byte a = 200, b = 100
short s = 32000
int i
byte cell[301]

active proctype p()
{
	cell[a + b] = 7;
	assert(cell[300] == 7);
	q!a + b, a + b;
	q?i, b;
	assert(i == 300 && b == 44);
	assert(s + s == 64000 && -s - s == -64000);
	s = s + s;
	assert(s == -1536);
	i = a << 24;
	assert(i < 0)
}
