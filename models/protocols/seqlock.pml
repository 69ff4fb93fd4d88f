/* A sequence lock: readers retry when the counter was odd or has changed; two words are always read as a pair.
   Expected: holds. */

byte seq
byte lo, hi

active proctype writer()
{
	do
	:: seq < 6 ->
		seq++;
		lo = 1 - lo;
		hi = 1 - hi;
		seq++
	:: seq == 6 -> break
	od
}

active [2] proctype reader()
{
	byte s, a, b;
	do
	:: s = seq;
	   a = lo;
	   b = hi;
	   if
	   :: s % 2 == 0 && s == seq -> break
	   :: s % 2 == 1 || s != seq -> d_step { s = 0; a = 0; b = 0 }
	   fi
	od;
	assert(a == b)
}
