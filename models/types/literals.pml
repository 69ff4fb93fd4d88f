/* Literals are read as decimal and cut to 32 bits; characters are small integers.
   Expected: every assertion holds. */

int n
byte c

active proctype p()
{
	n = 2147483648;  assert(n < 0 && n + 1 == -2147483647)
	n = 4294967296;  assert(n == 0)
	n = 4294967297;  assert(n == 1)
	c = 'a';         assert(c == 97)
	c = 'a' + 2;     assert(c == 'c')
	c = '\n';        assert(c == 10)
	c = '\t';        assert(c == 9)
	c = '\r';        assert(c == 13)
	c = '0';
	assert('9' - c == 9)
	printf("%c %d %u %x %o %%\n", c, n, n, n, n)
}
