/* The clause is tested inside an atomic as well: the process stops itself half way.
   Expected: invalid end state unless the other process opens the gate again. */

bool gate = true
byte x

active proctype p() provided (gate)
{
	atomic { x = 1; gate = false; x = 2; x = 3 };
	x = 4
}

active proctype q()
{
	if
	:: gate = true
	:: x == 1 -> assert(!gate)
	fi
}
