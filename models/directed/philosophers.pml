// flags: -DN=5
/* N philosophers, each takes the fork on its left, then the one on its right.
   Expected: deadlock, all of them hold one fork. A* by `active` expands 2N+1 states. */

#ifndef N
#define N 5
#endif

chan forks[N] = [1] of { bit }

proctype philosopher(byte id)
{
end:	do
	:: forks[id]?1 ->
danger:		forks[(id + 1) % N]?1;
		forks[id]!1;
		forks[(id + 1) % N]!1
	od
}

init
{
	byte i = N;
	atomic {
		do
		:: i > 0 ->
			i--;
			forks[i]!1;
			run philosopher(i)
		:: else -> break
		od
	}
}
