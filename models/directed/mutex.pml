/* A lock that reads and writes in the wrong order. Expected: assertion violated, both are inside. */

byte turn, claimed, inside

active [2] proctype user()
{
	byte me = _pid + 1;
again:	turn = me;
	if
	:: claimed != 0 && claimed != me -> goto again
	:: else
	fi;
	if
	:: turn != me -> goto again
	:: else
	fi;
	claimed = me;
	inside++;
	assert(inside == 1);
	inside--;
	claimed = 0;
	goto again
}
