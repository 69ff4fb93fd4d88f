/* A pid is a slot number: it is given again after its process has gone, and a process can only go when it is the
   youngest.  Expected: holds. */

byte last

proctype worker(byte n) { last = n }

init {
	pid p;
	p = run worker(1);  assert(p == 1);
	_nr_pr == 1;
	p = run worker(2);  assert(p == 1);
	p = run worker(3);  assert(p == 2 || p == 1);
	_nr_pr == 1;
	p = 1 + run worker(4);
	assert(p == 2)
}
