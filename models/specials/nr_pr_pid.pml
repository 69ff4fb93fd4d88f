/* _pid as an index, in guards and in messages, with _nr_pr as a limit.
   Expected: holds. */

byte slot[4]
chan c = [4] of { pid }

active [3] proctype p()
{
	pid other;
	slot[_pid] = _pid + 1;
	c!_pid;
	c?other;
	slot[other] = 0;
	assert(_pid < _nr_pr && slot[3] == 0)
}
