/* A label on select: the literal ones choose anew when jumped to, the computed one goes on from
   where its variable is.
   Expected: holds. */

byte a, b, c, low

active proctype p()
{
L1:	select (a : 1 .. 3);
	if
	:: a == 2 -> a = 7; goto L1
	:: a != 2
	fi;
L2:	select (b : 1 .. 40);
	if
	:: b == 2 -> b = 50; goto L2
	:: b != 2
	fi;
	assert(b <= 40);
L3:	select (c : low .. 3);
	if
	:: c == 2 -> c = 7; goto L3
	:: c != 2
	fi;
	assert(c <= 3 || c == 7)
}
