/* Four philosophers and a waiter who lets at most three sit down.
   Expected: no deadlock; neighbours never eat together. */

#define N 4
bool fork[N]
bool eating[N]
byte seats = N - 1

#define left  _pid
#define right ((_pid + 1) % N)

active [N] proctype philosopher()
{
	do
	:: atomic { seats > 0 -> seats-- };
	   atomic { !fork[left] -> fork[left] = true };
	   atomic { !fork[right] -> fork[right] = true; eating[_pid] = true };
	   assert(!eating[right] && !eating[(_pid + N - 1) % N]);
	   atomic { eating[_pid] = false; fork[left] = false };
	   fork[right] = false;
	   seats++
	od
}
