/* Division truncates towards zero, the remainder has the sign of the dividend, >> keeps the sign.
   Expected: every assertion holds. */

int n = -7
int d = 2

active proctype p()
{
	assert(n / d == -3)
	assert(n % d == -1)
	d = -2;
	assert(n / d == 3 && n % d == -1)
	n = 7;
	assert(n / d == -3 && n % d == 1)
	n = -8;
	assert(n >> 1 == -4)
	assert((n >> 31) == -1)
	n = 1;
	d = 31;
	assert(n << d < 0)
	assert((n << d) >> d == -1)
}
