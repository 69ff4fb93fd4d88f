/* A ring of channels in an array, indexed by expressions, with messages of several fields.
   Expected: holds; the token goes round twice. */

#define N 3
chan link[N] = [1] of { byte, bool }
byte rounds

active [N] proctype station()
{
	byte hops;
	bool stop;
	do
	:: link[_pid]?hops, stop ->
		if
		:: hops < 2 * N  -> link[(_pid + 1) % N]!hops + 1, false
		:: hops == 2 * N -> rounds = hops; link[(_pid + 1) % N]!hops + 1, true; break
		:: hops > 2 * N  ->
			assert(stop);
			if
			:: hops < 3 * N - 1 -> link[(_pid + 1) % N]!hops + 1, stop
			:: else
			fi;
			break
		fi
	od
}

init { link[0]!0, false; rounds == 2 * N }
