/* Channels of channels: a pool of buffers is itself kept in a channel, and equal contents give equal states.
   Expected: holds. */

chan pool = [2] of { chan }
chan buf[2] = [1] of { byte }
byte uses

proctype user()
{
	chan mine;
	byte v;
	pool?mine;
	mine!_pid;
	mine?v;
	assert(v == _pid && mine >= 2 && mine <= 3);
	pool!mine;
	uses++
}

init {
	atomic {
		pool!buf[0]; pool!buf[1];
		run user(); run user(); run user()
	};
	_nr_pr == 1 -> assert(uses == 3 && full(pool))
}
