/* Inlines that call inlines, with own locals at each level; a parameter name may equal a variable elsewhere.
   Expected: holds. */

byte x, y

inline twice(v) { v = 2 * v }
inline swap(v, w)
{
	byte keep = v;
	v = w;
	w = keep
}
inline both(v, w)
{
	byte i;
	for (i : 1 .. 2) {
		twice(v)
	}
	swap(v, w)
}

active proctype p()
{
	x = 1; y = 7;
	both(x, y);
	assert(x == 7 && y == 4);
	both(y, x);
	assert(x == 16 && y == 7)
}
