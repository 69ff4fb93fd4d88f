/* Single-decree Paxos: two proposers with one ballot each, three acceptors, majority of two.
   Expected: holds; no two values are chosen. */

#define ACC 3
#define MAJ 2
mtype = { none, red, blue }

chan ask[ACC] = [2] of { byte }                 /* prepare(ballot) */
chan accept_req[ACC] = [2] of { byte, mtype }   /* accept(ballot, value) */
chan promise[3] = [ACC] of { byte, mtype }      /* per ballot: last ballot accepted and its value */
byte votes[3]                                   /* per ballot */
mtype chosen

inline vote(b, v)
{
	votes[b]++;
	if
	:: votes[b] == MAJ -> assert(chosen == 0 || chosen == v); chosen = v
	:: else
	fi
}

proctype acceptor(byte id)
{
	byte b, promised, seen;
	mtype v, val = none;
end:	do
	:: d_step { ask[id]?b ->
		if
		:: b > promised -> promised = b; promise[b]!seen, val
		:: else
		fi;
		b = 0 }
	:: d_step { accept_req[id]?b, v ->
		if
		:: b >= promised ->
			promised = b; seen = b; val = v;
			vote(b, v)
		:: else
		fi;
		b = 0; v = 0 }
	od
}

proctype proposer(byte ballot; mtype mine)
{
	byte i, got, high, b;
	mtype v;
	d_step {
		for (i : 0 .. ACC - 1) { ask[i]!ballot };
		i = 0
	};
end:	do
	:: got < MAJ ->
end_wait:	d_step { promise[ballot]?b, v ->
			if
			:: b > high -> high = b; mine = v
			:: else
			fi;
			got++; b = 0; v = 0 }
	:: got == MAJ -> break
	od;
	for (i : 0 .. ACC - 1) { accept_req[i]!ballot, mine }
}

init {
	byte i;
	atomic {
		for (i : 0 .. ACC - 1) { run acceptor(i) };
		i = 0;
		run proposer(1, red);
		run proposer(2, blue)
	};
end:	false
}
