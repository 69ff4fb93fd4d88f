/* A remote label reference with a pid compares control states only; that the process is of another type is not noticed.
   Expected: holds; a[1]@here is true while slot 1 is a b. */

byte x

proctype a() { here: x == 1 }
proctype b() { there: x == 2; x = 3 }

init {
	atomic { run b(); run a() };
	assert(a[1]@here && b[1]@there && b[2]@there && a[2]@here);
	x = 1;
	!a[2]@here;
	x = 2;
	x == 3
}
