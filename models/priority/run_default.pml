/* A process started by run without a priority gets 1, whatever its siblings have.
   Expected: holds; the log is 1 2 3. */

byte log

proctype worker(byte n)
{
	assert(_priority == (n == 2 -> 7 : 1));
	log = log * 10 + n
}

init priority 3 {
	run worker(3);
	run worker(2) priority 7;
	assert(log == 2);
	log = 12;
	_nr_pr == 1;
	assert(log == 123)
}
