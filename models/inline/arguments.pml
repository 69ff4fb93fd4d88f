/* Inline parameters are replaced as text: any expression, variable, channel or array element can be passed.
   Expected: holds. */

chan q = [2] of { byte }
byte a[2], n

inline add(var, amount) { var = var + amount }
inline move(src, dst, tmp) { src?tmp; dst = tmp }

active proctype p()
{
	byte t;
	add(n, 3);
	add(a[n - 2], n * 2);
	assert(a[1] == 6 && n == 3);
	q!4;
	move(q, a[0], t);
	assert(a[0] == 4 && t == 4)
}
