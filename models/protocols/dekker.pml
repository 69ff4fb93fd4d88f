/* Dekker's algorithm for two processes, with a turn that breaks the tie.
   Expected: holds; at most one process is inside. */

bool want[2]
byte turn, inside

active [2] proctype p()
{
	byte other = 1 - _pid;
	do
	:: want[_pid] = true;
	   do
	   :: want[other] ->
		if
		:: turn == other ->
			want[_pid] = false;
			turn != other;
			want[_pid] = true
		:: turn != other
		fi
	   :: !want[other] -> break
	   od;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   turn = other;
	   want[_pid] = false
	od
}
