/* Labels, goto, loops and for inside one d_step; nothing in between is ever seen.
   Expected: holds; the sum is 0 or complete. */

byte sum
byte a[4]

active proctype p()
{
	byte i;
	d_step {
		for (i : 0 .. 3) {
			a[i] = i * i
		};
		i = 0;
again:		sum = sum + a[i];
		i++;
		if
		:: i < 4 -> goto again
		:: else
		fi;
		i = 0
	};
	assert(sum == 14)
}

active proctype q()
{
	assert(sum == 0 || sum == 14)
}
