/* As in C, the bit operators bind looser than comparisons, and && tighter than ||.
   Expected: every assertion holds. */

byte x = 6

active proctype p()
{
	assert((x & 2 == 2) == 0)       /* x & (2 == 2), and bit 0 of 6 is clear */
	assert((x & 2) == 2)
	assert(1 | 2 ^ 3 & 1)           /* 1 | (2 ^ (3 & 1)) is 3 */
	assert((1 | 2 ^ 3 & 1) == 3)
	assert(1 + 2 << 1 == 6)         /* (1 + 2) << 1 */
	assert(2 + 3 * 4 - 6 / 2 % 2 == 13)
	assert(1 || 0 && 0)             /* 1 || (0 && 0) */
	assert(!(0 || 1 && 0))
	assert(-x + 7 == 1)
	assert(!x == 0)                 /* (!x) == 0 */
	assert(~x & 7 == 1 || true)
	assert((~x & 7) == 1)
	assert((3 > 2 > 1) == 0)        /* (3 > 2) > 1 */
	assert((5 == 5 == 1) == 1)
	assert(10 - 4 - 3 == 3 && 100 / 10 / 5 == 2)
	assert(1 << 2 << 1 == 8)
}
