/* Read-copy-update: a writer swaps the pointer, waits until the old readers have left, and only then frees the old cell.
   Expected: holds; no reader looks at a freed cell. */

byte current
bool freed[2]
byte epoch[2]
bool in_read[2]

active [2] proctype reader()
{
	byte p;
	do
	:: in_read[_pid] = true;
	   p = current;
	   assert(!freed[p]);
	   p = 0;
	   in_read[_pid] = false
	od
}

active proctype writer()
{
	byte old;
	do
	:: old = current;
	   freed[1 - old] = false;
	   current = 1 - old;
	   /* grace period: each reader is seen outside once */
	   !in_read[0];
	   !in_read[1];
	   freed[old] = true;
	   old = 0
	od
}
