/* Parameters are converted to the formal type, active instances get 0, and they are ordinary locals.
   Expected: holds. */

mtype = { one, two }
byte done

proctype p(byte a, b; short s; bit t; mtype m)
{
	assert(a == 1 && b == 255 && s == -1 && t == 0 && m == two);
	a = a + b;
	assert(a == 0);
	done++
}

active proctype q(byte z; int y)
{
	assert(z == 0 && y == 0);
	z = 4;
	done++
}

init {
	run p(257, -1, 65535, 2, two);
	done == 2
}
