/* goto out of nested loops, into the middle of a loop and into an option.
   Expected: holds; every path ends with x == 4. */

byte x

active proctype p()
{
	do
	:: x < 2 ->
		do
		:: x++ ; goto middle
		:: x == 7 ->
inside:			x = x + 2;
			goto out
		od
	:: x >= 2 -> goto inside
	od;
	assert(false);
	do
	:: x == 100 -> skip;
middle:		if
		:: x < 2 -> skip
		:: x == 2 -> break
		fi;
		x = 2;
		break
	od;
	goto inside;
out:	assert(x == 4)
}
