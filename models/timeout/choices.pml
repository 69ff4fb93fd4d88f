/* timeout as one option among others: it opens only when nobody in the whole system can move.
   Expected: holds; the timeout is taken exactly when the counter has stopped. */

byte n, expired

active proctype p()
{
	do
	:: n < 2 -> n++
	:: timeout -> expired++; break
	:: n == 7 -> assert(false)
	od;
	assert(expired == 1 && n == 2)
}

active proctype q()
{
	n == 2;
	expired == 1
}
