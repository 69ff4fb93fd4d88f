/* A ticket lock: an atomic fetch-and-add hands out tickets, a counter calls them.
   Expected: holds; tickets wrap at four, enough for three processes. */

#define N 3
unsigned next : 2
unsigned serving : 2
byte inside

active [N] proctype user()
{
	byte mine;
	do
	:: d_step { mine = next; next++ };
	   serving == mine;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   serving++
	od
}
