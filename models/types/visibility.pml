/* The words show and local before a global: show is for displays only, local promises a single user.
   Neither changes the behaviour.  Expected: holds. */

show byte shown = 1
local byte mine
local int pair[2]
mtype = { red, green }
mtype lamp = red

active proctype owner()
{
	do
	:: mine < 3 -> mine++; pair[mine % 2] = mine
	:: mine == 3 -> break
	od
	assert(pair[1] == 3 && pair[0] == 2)
}

active proctype other()
{
	shown++;
	lamp = (lamp == red -> green : red);
	assert(lamp == green)
}
