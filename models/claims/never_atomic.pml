/* A claim with atomic, assert, goto, remote labels and named; it tests several things in one move.
   Expected: holds with and without the claim. */

byte x

proctype w()
{
	x = 1;
there:	x = 2
}

init { run w(); skip }

never watch_it {
T0:	do
	:: atomic { w[1]@there -> assert(x == 1) }
	:: !w[1]@there -> goto T0
	:: x == 2 -> goto T1
	od;
T1:	do
	:: x == 2
	od
}
