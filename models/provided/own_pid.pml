/* The clause may use _pid: a round robin of three instances, which can only end in their turn.
   Expected: no error, but all three stay: p[0] has the turn and only p[2] could leave first. */

byte turn

active [3] proctype p() provided (turn == _pid)
{
	skip;
	turn = (turn + 1) % 3
}
