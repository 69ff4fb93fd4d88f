/* An inline that gives a value back through assignment.
   Expected: holds. */

int r

inline larger(a, b)
{
	if
	:: a > b -> return a
	:: else -> return b
	fi
}

active proctype p()
{
	r = larger(3, 8);
	assert(r == 8);
	r = larger(r + 1, 2);
	assert(r == 9)
}
