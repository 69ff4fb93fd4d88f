/* Dining philosophers without deadlock: everyone takes the fork with the smaller number first.

   Locks that are always taken in one global order can never form a circle of waiting.

   Expected: no errors. Compare with philosophers.pml: only the order of two lines differs,
   and only for the last philosopher. */

#define N 3

chan fork[N] = [1] of { bit }
byte meals

proctype philosopher(byte first, second)
{
	do
	:: fork[first]?1;
	   fork[second]?1;
	   meals = (meals + 1) % 4;
	   fork[first]!1;
	   fork[second]!1
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			fork[i]!1
		}
		for (i : 0 .. N - 2) {
			run philosopher(i, i + 1)
		}
		run philosopher(0, N - 1)      // not (N - 1, 0)
	}
}
