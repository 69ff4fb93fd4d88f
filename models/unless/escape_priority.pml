/* While the escape guard is open nothing of the main part runs; else and blocked statements do not matter.
   Expected: holds; x is never increased after stop was set. */

byte x
bool stop
byte at

active proctype main_part()
{
	{
		do
		:: x < 4 -> x++
		:: else -> x = 0
		od
	} unless {
		stop -> at = x
	};
	assert(at == x)
}

active proctype stopper()
{
	x >= 2;
	stop = true
}
