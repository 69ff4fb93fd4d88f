/* A process whose provided clause is false does not count as enabled, so lower priorities may run.
   Expected: holds. */

bool gate
byte x

active proctype high() priority 8 provided (gate) { x = x + 10; gate = false; x = x + 100 }

active proctype low() priority 1
{
	x = 1;
	gate = true;
	assert(x == 11 && !gate);
	gate = true;
	assert(x == 111)
}
