// flags: -DN=3
/* A lift with N floors; the door should be shut while it moves. Expected: the invariant is violated: the door
   opens for a call although the lift has just started. */

#ifndef N
#define N 3
#endif

byte floor
bool moving, open, called[N]

active proctype lift()
{
	bool up = true;
	do
	:: moving && up && floor < N - 1 -> floor++
	:: moving && up && floor == N - 1 -> up = false
	:: moving && !up && floor > 0 -> floor--
	:: moving && !up && floor == 0 -> up = true
	:: moving && called[floor] -> moving = false
	:: !moving && !called[floor] && !open -> moving = true
	od
}

active proctype door()
{
	do
	:: called[floor] && !moving -> open = true; called[floor] = false
	:: open -> open = false
	od
}

active proctype people()
{
	byte at;
	do
	:: at < N - 1 -> at++
	:: at > 0 -> at--
	:: !called[at] -> called[at] = true
	od
}

never {
	do
	:: moving && open -> break
	:: true
	od
}
