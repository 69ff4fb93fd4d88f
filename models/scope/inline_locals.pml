/* Each call of an inline has its own copy of the inline's locals; a declaration in it is an assignment at each call.
   Expected: holds. */

byte out

inline count(n)
{
	byte c;
	byte step = n;
	assert(c == 0 && step == n);
	do
	:: c < n -> c++; out++
	:: else -> break
	od
}

active proctype p()
{
	count(1);
	count(2);
	{ byte c = 9; assert(c == 9) }
	assert(out == 3)
}
