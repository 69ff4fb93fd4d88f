/* _nr_pr counts the live processes, zombies included.
   Expected: holds. */

byte seen

proctype quick() { skip }
proctype slow() { seen == 1 }

init {
	assert(_nr_pr == 1);
	run quick();
	run slow();
	assert(_nr_pr == 3 || _nr_pr == 2);
	seen = 1;
	_nr_pr < 3 -> skip;
	assert(_nr_pr >= 1)
}
