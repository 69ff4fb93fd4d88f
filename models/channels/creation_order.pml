/* Channel numbers: globals in text order, array elements one after the other, then struct members, then the
   channels of each process; a number is free again when its process has gone.  Expected: holds. */

typedef box { byte n; chan in = [1] of { byte } }

chan g1 = [1] of { byte }
box  bx
chan g2[2] = [1] of { byte }
byte order

proctype late(byte base)
{
	chan one = [1] of { byte };
	byte between;
	chan two = [1] of { byte };
	assert(one == base || one == base - 2);
	assert(two == one + 1);
	skip
}

init {
	chan own = [1] of { byte };
	assert(g1 == 1 && g2[0] == 2 && g2[1] == 3 && bx.in == 4 && own == 5);
	run late(6);
	run late(8);
	_nr_pr == 1;
	run late(6);
	_nr_pr == 1;
	order = own
}
