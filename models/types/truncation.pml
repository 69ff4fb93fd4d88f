/* Values are cut to the width of the variable only when stored; the right side is a 32-bit int.
   Expected: every assertion holds. */

mtype = { idle, busy }

byte  b
bit   t
bool  flag
short s
int   n
pid   p
mtype m
unsigned u : 3

active proctype store()
{
	b = 255 + 2;        assert(b == 1)
	b = -1;             assert(b == 255 && b != -1)
	t = 2;              assert(t == 0)
	flag = 7;           assert(flag == true)
	s = 32767 + 1;      assert(s == -32768)
	s = 65536 * 3 + 5;  assert(s == 5)
	n = 2147483647;
	n = n + 1;          assert(n < 0)
	u = 8 + 3;          assert(u == 3)
	p = 256 + 4;        assert(p == 4)
	m = busy + 256;     assert(m == busy)
	/* nothing is cut on the way: the sum is 510 before the comparison */
	b = 255;
	assert(b + b == 510)
	b++;                assert(b == 0)
	b--;                assert(b == 255)
	t++;                assert(t == 1)
	t++;                assert(t == 0)
	u = 0; u--;         assert(u == 7)
}
