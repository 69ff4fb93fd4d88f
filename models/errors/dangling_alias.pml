/* The number of a dead channel is given to a new one, so an old copy silently means the new channel.
   Expected: no error; the message arrives in the wrong place. */

chan kept
byte got

proctype owner()
{
	chan mine = [1] of { byte };
	kept = mine
}

proctype stranger()
{
	chan private = [1] of { byte };
	private?got
}

init {
	run owner();
	_nr_pr == 1;
	run stranger();
	kept!7;
	_nr_pr == 1;
	assert(got == 7)
}
