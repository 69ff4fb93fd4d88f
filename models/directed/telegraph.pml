// flags: -DN=3
/* A ring of stations that pass telegrams on: a station is free to send one itself only if it is not busy
   passing another. Expected: deadlock, all have begun to send and nobody listens. */

#ifndef N
#define N 3
#endif

mtype = { start, attention, stop }
chan line[N] = [1] of { mtype }
chan back[N] = [1] of { mtype }
bool busy[N]

proctype station(byte id)
{
	do
	:: atomic { line[id]?start -> !busy[id]; busy[id] = true };
		back[id]!attention;
		line[id]?stop;
		busy[id] = false
	:: atomic { !busy[id] -> busy[id] = true };
		line[(id + 1) % N]!start;
danger:		back[(id + 1) % N]?attention;
		line[(id + 1) % N]!stop;
		busy[id] = false
	od
}

init
{
	byte i;
	atomic {
		do
		:: i < N -> run station(i); i++
		:: else -> break
		od
	}
}
