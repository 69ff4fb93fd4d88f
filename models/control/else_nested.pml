/* else in an inner choice that is flattened into the outer one competes with the outer guards as well.
   Expected: holds; the else option is closed while the outer guard is open. */

byte x = 2

active proctype p()
{
	do
	:: x > 0 -> x--
	:: if
	   :: x == 0 && false -> skip
	   :: else -> break
	   fi
	od;
	assert(x == 0)
}
