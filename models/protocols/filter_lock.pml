/* The filter lock: Peterson's idea on N-1 levels, here for three processes.
   Expected: holds. */

#define N 3
byte level[N]
byte last[N]
byte inside

active [N] proctype p()
{
	byte l, k;
	do
	:: for (l : 1 .. N - 1) {
		level[_pid] = l;
		last[l] = _pid;
		k = 0;
		do
		:: last[l] != _pid || k == N -> break
		:: k < N && last[l] == _pid && (k == _pid || level[k] < l) -> k++
		od
	   };
	   l = 0; k = 0;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   level[_pid] = 0
	od
}
