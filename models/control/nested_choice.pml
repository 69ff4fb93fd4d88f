/* An option that begins with another choice belongs to the outer choice: one control state with four options.
   Expected: holds; the counts show that there is no intermediate step. */

byte x

active proctype p()
{
	do
	:: x < 3 ->
		if
		:: x++
		:: x = x + 2
		fi
	:: if
	   :: x == 3 -> x = 9
	   :: do
	      :: x == 4 -> x = 8
	      :: x > 7 -> break
	      od;
	      goto out
	   fi
	od
out:	assert(x > 7)
}
