/* Peterson's mutual exclusion for two processes: correct.

   Each process says that it wants to enter, then politely gives way to the other.
   It waits only while the other wants to enter AND it was the last to give way.

   Expected: no errors. Try this: swap the first two statements of the loop and check again. */

bool want[2]     // want[i]: process i is interested
byte turn        // whose turn it is when both are interested
byte inside      // how many processes are in the critical section

active [2] proctype user()
{
	byte other = 1 - _pid;      // _pid is 0 or 1 here

	do
	:: want[_pid] = true;
	   turn = other;
	   (!want[other] || turn == _pid);     // blocks until it becomes true

	   inside++;
	   assert(inside == 1);                // the property: never two at once
	   inside--;

	   want[_pid] = false
	od
}
