/* Three children of different lengths: each can leave only after all younger ones.
   Expected: holds; _nr_pr falls in steps. */

byte alive

proctype child(byte n)
{
	alive++;
	do
	:: n > 0 -> n--
	:: n == 0 -> break
	od;
	alive--
}

init {
	atomic { run child(2); run child(0); run child(1) };
	_nr_pr < 4 -> assert(alive <= 3);
	_nr_pr == 1 -> assert(alive == 0)
}
