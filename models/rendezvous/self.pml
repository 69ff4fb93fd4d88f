/* A process cannot shake hands with itself, but two instances of one proctype can.
   Expected: invalid end state: the third instance remains alone. */

chan c = [0] of { byte }

active [3] proctype peer()
{
	byte v;
	if
	:: c!_pid -> v = 100
	:: c?v -> assert(v != _pid)
	fi;
	v = 0
}
