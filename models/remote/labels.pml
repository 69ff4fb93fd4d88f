/* Remote references to control points, with and without a pid, and to a process that has not started or has gone.
   Expected: holds. */

byte x

proctype worker(byte n)
{
	skip;
crit:	x = n;
	x = 0
}

active proctype watch()
{
	assert(!worker[1]@crit);
	run worker(1);
	do
	:: worker[1]@crit -> break
	:: _nr_pr == 1 -> break
	od;
	run worker(2);
	if
	:: worker@crit -> skip
	:: !worker@crit -> skip
	fi;
	assert(!(worker[9]@crit))
}
