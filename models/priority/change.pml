/* Priorities change while running: set_priority, get_priority and assignment to _priority.
   Expected: holds. */

byte turn

proctype p()
{
	assert(get_priority(_pid) == 3);
	turn = 1;
	_priority = 1;
	assert(_priority == 4);
	turn = 2;
	turn == 3
}

init priority 2 {
	byte k;
	k = run p() priority 3;
	assert(turn == 1);
	turn == 1;
	set_priority(k, 4);
	assert(get_priority(k) == 4 && turn == 2);
	turn = 3
}
