/* One round of voting in the style of Raft: three nodes, each may stand in terms 1 and 2, and votes once in a term.
   Expected: holds; at most one leader in a term. */

#define N 3
chan ballot[N] = [4] of { byte, byte }      /* term, candidate */
chan votes[N] = [4] of { byte }             /* term */
byte leader[3]

proctype node(byte me)
{
	byte term, got, t, c;
	bool standing;
end:	do
	:: term < 2 && (me < 2 || term == 0) && !standing ->
		d_step {
			term++; standing = true; got = 1;
			if
			:: me == 0 -> ballot[1]!term, me; ballot[2]!term, me
			:: me == 1 -> ballot[0]!term, me; ballot[2]!term, me
			:: else -> ballot[0]!term, me; ballot[1]!term, me
			fi
		}
	:: d_step { ballot[me]?t, c ->
		if
		:: t > term -> term = t; standing = false; got = 0; votes[c]!t
		:: else
		fi;
		t = 0; c = 0 }
	:: d_step { votes[me]?t ->
		if
		:: t == term && standing -> got++
		:: else
		fi;
		t = 0 }
	:: d_step { standing && got >= 2 ->
		leader[term]++; assert(leader[term] == 1); standing = false; got = 0 }
	od
}

init { atomic { run node(0); run node(1); run node(2) }; end: false }
