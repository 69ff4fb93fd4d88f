/* Lamport's fast mutual exclusion: two shared variables decide when nobody else is trying.
   Expected: holds for three processes. */

#define N 3
bool trying[N]
byte x, y, inside

#define me (_pid + 1)

active [N] proctype p()
{
	byte j;
start:	trying[_pid] = true;
	x = me;
	if
	:: y != 0 -> trying[_pid] = false; y == 0; goto start
	:: y == 0
	fi;
	y = me;
	if
	:: x != me ->
		trying[_pid] = false;
		for (j : 0 .. N - 1) { !trying[j] };
		j = 0;
		if
		:: y != me -> y == 0; goto start
		:: y == me
		fi
	:: x == me
	fi;
	inside++;
	assert(inside == 1);
	inside--;
	y = 0;
	trying[_pid] = false;
	goto start
}
