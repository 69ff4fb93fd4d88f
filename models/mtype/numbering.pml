/* Names are numbered from the end of their declaration; later declarations go on from there; 0 is no name.
   Expected: holds. */

mtype = { a, b, c }
mtype = { d e f }
mtype { g }
mtype none

active proctype p()
{
	mtype m = b;
	assert(c == 1 && b == 2 && a == 3);
	assert(f == 4 && d == 6 && g == 7);
	assert(none == 0 && m > c);
	m = m + 1;
	assert(m == a);
	printm(m);
	printf("%e\n", m)
}
