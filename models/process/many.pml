/* A tree of processes: counts depend on which of them may end.
   Expected: holds. */

byte leaves

proctype node(byte depth)
{
	if
	:: depth > 0 -> run node(depth - 1); run node(depth - 1)
	:: depth == 0 -> leaves++
	fi
}

init { run node(2); leaves == 4 }
