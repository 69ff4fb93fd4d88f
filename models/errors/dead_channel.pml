/* A channel number kept after the process that owned the channel has gone.
   Expected: bad queue. */

chan kept

proctype owner()
{
	chan mine = [1] of { byte };
	kept = mine
}

init {
	run owner();
	_nr_pr == 1;
	kept!1
}
