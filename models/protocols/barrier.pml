/* A sense-reversing barrier for three workers; nobody starts a phase before all finished the one before.
   Expected: holds. */

#define N 3
byte waiting = N
bool sense
byte phase[N]

active [N] proctype worker()
{
	bool mine;
	byte left;
	do
	:: phase[_pid] = (phase[_pid] + 1) % 4;
	   assert((phase[_pid] - phase[(_pid + 1) % N] + 4) % 4 != 2);
	   mine = !mine;
	   d_step { waiting--; left = waiting };
	   if
	   :: left == 0 -> d_step { waiting = N; sense = mine; left = 0 }
	   :: left > 0 -> left = 0; sense == mine
	   fi
	od
}
