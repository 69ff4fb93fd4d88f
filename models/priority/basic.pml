/* Only the processes of the highest priority among the enabled ones may move.
   Expected: holds; the order of the log is fixed. */

byte log

active proctype low() priority 1 { log = log * 10 + 1 }
active proctype high() priority 5 { log == 0; log = 3; log = 30 }
active proctype mid() priority 3
{
	assert(log == 30);
	log = log + 2;
	log = 0
}
