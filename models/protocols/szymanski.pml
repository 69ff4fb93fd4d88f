/* Szymanski's waiting room for three processes, each flag read in one piece.
   Expected: holds. */

#define N 3
byte flag[N]
byte inside

#define all_below(v)   (flag[0] < v && flag[1] < v && flag[2] < v)
#define some_is(v)     (flag[0] == v || flag[1] == v || flag[2] == v)
#define lower_clear    ((_pid <= 0 || flag[0] < 2) && (_pid <= 1 || flag[1] < 2))
#define higher_settled ((_pid >= 2 || flag[2] < 2 || flag[2] > 3) && (_pid >= 1 || flag[1] < 2 || flag[1] > 3))

active [N] proctype p()
{
	do
	:: flag[_pid] = 1;
	   all_below(3);
	   flag[_pid] = 3;
	   if
	   :: some_is(1) ->
		flag[_pid] = 2;
		some_is(4)
	   :: else
	   fi;
	   flag[_pid] = 4;
	   lower_clear;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   higher_settled;
	   flag[_pid] = 0
	od
}
