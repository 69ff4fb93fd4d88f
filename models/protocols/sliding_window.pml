/* Go-back-N with a window of two and sequence numbers modulo three, over lossy one-place channels.
   Expected: holds; the receiver accepts values in order only. */

#define MOD 3
#define VALS 3
chan data = [1] of { byte, byte }
chan acks = [1] of { byte }

active proctype sender()
{
	byte base, fill, val, n;      /* fill: sent and not acknowledged; val: value of the frame at base */
	do
	:: fill < 2 && nfull(data) ->
		data!(base + fill) % MOD, (val + fill) % VALS;
		fill++
	:: fill > 0 && nfull(data) ->        /* go back: repeat from base */
		data!base, val;
		fill = 1
	:: atomic { acks?n ->
		if
		:: fill > 0 && n == base -> base = (base + 1) % MOD; val = (val + 1) % VALS; fill--
		:: fill > 1 && n == (base + 1) % MOD -> base = (base + 2) % MOD; val = (val + 2) % VALS; fill = fill - 2
		:: else
		fi;
		n = 0 }
	od
}

active proctype receiver()
{
	byte want, expect, n, v;
	do
	:: atomic { data?n, v ->
		if
		:: n == want ->
			assert(v == expect);
			want = (want + 1) % MOD;
			expect = (expect + 1) % VALS
		:: else
		fi;
		n = 0; v = 0 };
		if
		:: nfull(acks) -> acks!(want + MOD - 1) % MOD
		:: skip                          /* acknowledgement lost */
		fi
	:: data?_, _                             /* frame lost */
	od
}
