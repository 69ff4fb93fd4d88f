/* A sorted send compares the full value of its argument with the stored, already truncated ones.
   Expected: holds in the verifier; 260 is stored as 4 but goes behind 9. */

chan q = [3] of { byte }
byte v
int big = 260

active proctype p()
{
	q!!9;
	q!!big;
	q!!5;
	q?v; assert(v == 5);
	q?v; assert(v == 9);
	q?v; assert(v == 4)
}
