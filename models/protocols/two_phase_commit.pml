/* Two-phase commit with two participants; one vote is enough to abort, and a crash counts as a no.
   Expected: holds; nobody commits while another aborts. */

#define N 2
mtype = { prepare, yes, no, commit, abort }
chan to[N] = [1] of { mtype }
chan from = [N] of { mtype, byte }
mtype outcome[N]
mtype decision

proctype participant(byte id)
{
	mtype d;
	to[id]?prepare;
	if
	:: from!yes(id);
	   to[id]?d;
	   outcome[id] = d
	:: from!no(id);
	   outcome[id] = abort;
	   to[id]?_
	:: outcome[id] = abort;                /* crash before voting, silent until the end */
	   to[id]?_
	fi
}

init {
	byte i, votes;
	mtype v;
	atomic { for (i : 0 .. N - 1) { run participant(i) } };
	for (i : 0 .. N - 1) { to[i]!prepare };
	do
	:: from?v(i) ->
		votes++;
		if
		:: v == no -> decision = abort; break
		:: v == yes && votes == N -> decision = commit; break
		:: else
		fi
	:: timeout -> decision = abort; break
	od;
	for (i : 0 .. N - 1) { to[i]!decision };
	_nr_pr == 1;
	assert(outcome[0] == outcome[1] && outcome[0] == decision)
}
