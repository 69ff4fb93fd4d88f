/* select over more than 33 literal values becomes a loop of increments.
   Expected: holds. */

byte i

active proctype p()
{
	select (i : 0 .. 40);
	assert(i <= 40);
	i = 0
}
