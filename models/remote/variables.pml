/* Remote references to locals and parameters of another process; an ended process still shows them until it is removed.
   Expected: holds. */

bool ready

proctype worker(byte n)
{
	byte a[2];
	short k;
	a[1] = n;
	k = -n;
	ready = true;
	k = 0
}

active proctype boss()
{
	pid w;
	w = run worker(5);
	ready;
	assert(worker[w]:n == 5 || _nr_pr == 1);
	assert(worker[w]:k == 0 || worker[w]:k == -5);
	if
	:: _nr_pr == 2 -> skip
	:: _nr_pr == 1 -> assert(worker[w]:k == 0)
	fi
}
