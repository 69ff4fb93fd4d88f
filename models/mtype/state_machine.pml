/* A traffic light driven by mtype states and messages over a rendezvous.
   Expected: holds; red and green never meet. */

mtype = { red, amber, green, go, halt }
mtype north = red, east = red
chan ctl[2] = [0] of { mtype }

active proctype light_north()
{
end:	do
	:: ctl[0]?go -> north = green
	:: ctl[0]?halt -> north = amber; north = red
	od
}

active proctype light_east()
{
end:	do
	:: ctl[1]?go -> east = green
	:: ctl[1]?halt -> east = amber; east = red
	od
}

active proctype control()
{
	byte side;
	do
	:: ctl[side]!go;
	   assert(!(north == green && east == green));
	   ctl[side]!halt;
	   (side == 0 -> north : east) == red;
	   side = 1 - side
	od
}
