/* Two processes with a turn variable, and a monitor that looks at their labels.
   Expected: holds; the monitor never finds both in the section. */

byte turn

proctype user(byte me)
{
	do
	:: turn == me ->
cs:		skip;
		turn = 1 - me
	od
}

active proctype monitor()
{
	atomic { run user(0); run user(1) };
end:	(user[1]@cs && user[2]@cs) -> assert(false)
}
