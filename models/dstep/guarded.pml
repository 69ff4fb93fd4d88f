/* The first statement of a d_step decides whether it can run: a condition, a receive, or a choice (then any
   of its guards).  Expected: holds. */

chan q = [2] of { byte, byte }
byte a, b, n

active proctype user()
{
	do
	:: d_step { n < 3 && nfull(q) -> n++; q!n, n * 2 }
	:: d_step { q?a, b; assert(b == 2 * a); a = 0; b = 0 }
	:: d_step {
		if
		:: n == 3 && len(q) == 0 -> n = 4
		:: n == 5 -> n = 6
		fi;
		skip }
	:: n == 4 -> break
	od
}
