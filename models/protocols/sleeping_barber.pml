/* A barber, two chairs and three customers; who finds no chair leaves.
   Expected: holds; the barber sleeps at the end, which is fine. */

#define CHAIRS 2
byte waiting, cut, away
chan chair = [0] of { pid }
chan done = [0] of { pid }

active proctype barber()
{
	pid c;
end:	do
	:: chair?c -> cut++; done!c
	od
}

active [3] proctype customer()
{
	if
	:: atomic { waiting < CHAIRS -> waiting++ };
	   atomic { chair!_pid; waiting-- };
	   done?eval(_pid)
	:: atomic { waiting == CHAIRS -> away++ }
	fi;
	assert(cut + away <= 3)
}
