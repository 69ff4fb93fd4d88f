/* A label on a loop may stand where a label on another statement may not: first in a block, an
   atomic sequence, an inline body, either side of an unless. It names the loop: a for and a
   computed select do not start again, a wide literal select does.
   Expected: holds. */

byte x, y, i, again

inline count(top)
{
here:	do
	:: x < top -> x++
	:: x >= top -> break
	od
}

active proctype p()
{
	count(2);
	assert(x == 2);
	{
L1:		do
		:: x < 4 -> x++
		:: x == 4 -> break
		od
	};
	atomic {
L2:		do
		:: x < 5 -> x++
		:: x == 5 -> break
		od;
		x = 0
	};
	if
	:: again == 0 -> again = 1; goto L1
	:: again == 1 -> again = 2; x = 3; goto L2
	:: again == 2
	fi;
L3:	do
	:: x < 3 -> x++
	:: x == 3 -> break
	od unless {
L4:		do
		:: y == 1 -> y = 2
		:: y == 2 -> break
		od
	};
	if
	:: again == 2 -> again = 3; x = 1; goto L3
	:: again == 3 && y == 2 -> again = 4; goto L4
	:: again >= 3
	fi;
	x = 0;
L5:	for (i : 1 .. 3) {
		x++
	}
	if
	:: x == 3 -> i = 2; goto L5
	:: x == 5
	fi
}

active proctype q()
{
	y = 1
}
