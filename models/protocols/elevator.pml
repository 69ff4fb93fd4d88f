/* A lift for four floors: calls arrive at any time, the doors open only at rest and the cabin turns at the ends.
   Expected: holds. */

#define TOP 3
mtype = { up, down }
bool call[4]
bool open
byte floor
mtype way = up

active proctype building()
{
	byte f;
	do
	:: select (f : 0 .. 3);
	   call[f] = true;
	   f = 0
	od
}

active proctype cabin()
{
	bool above, below;
	do
	:: call[floor] -> open = true; call[floor] = false; open = false
	:: !call[floor] ->
		d_step {
			above = (floor < 3 && call[3]) || (floor < 2 && call[2]) || (floor < 1 && call[1]);
			below = (floor > 0 && call[0]) || (floor > 1 && call[1]) || (floor > 2 && call[2])
		};
		if
		:: way == up && above -> assert(!open && floor < TOP); floor++
		:: way == down && below -> assert(!open && floor > 0); floor--
		:: way == up && !above && below -> way = down
		:: way == down && !below && above -> way = up
		:: !above && !below
		fi;
		d_step { above = 0; below = 0 }
	od
}
