/* Three caches with states Modified, Shared and Invalid on an atomic bus; values modulo three.
   Expected: holds; a modified line is alone, and every valid copy is the latest value. */

#define N 3
mtype = { M, S, I }
mtype line[N] = I
byte copy[N]
byte memory, latest

inline flush(me)
{
	for (k : 0 .. N - 1) {
		if
		:: k != me && line[k] == M -> memory = copy[k]; line[k] = S
		:: else
		fi
	}
}

inline invalidate(me)
{
	for (k : 0 .. N - 1) {
		if
		:: k != me -> line[k] = I; copy[k] = 0
		:: else
		fi
	}
}

active [N] proctype cpu()
{
	byte k;
	do
	:: line[_pid] == I ->
		d_step { flush(_pid); line[_pid] = S; copy[_pid] = memory; k = 0 }
	:: line[_pid] != I ->
		assert(copy[_pid] == latest || line[_pid] == I)
	:: d_step {
		line[_pid] != M;
		flush(_pid); invalidate(_pid); line[_pid] = M; copy[_pid] = memory; k = 0 }
	:: d_step {
		line[_pid] == M;
		copy[_pid] = (copy[_pid] + 1) % 3; latest = copy[_pid] }
	:: d_step {      /* replacement */
		line[_pid] == M -> memory = copy[_pid]; line[_pid] = I; copy[_pid] = 0 }
	od
}
