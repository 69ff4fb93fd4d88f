/* Numbers of the channels of a process: in the order of the declarations, those in records
   included. Global ones: plain channels first, then those in records.
   Expected: holds. */

typedef inner { byte n; chan in = [1] of { byte } }
typedef outer { inner first; chan own = [1] of { byte }; inner rest[2] }

outer g
chan  plain[2] = [1] of { byte }
inner h

active proctype p()
{
	inner a;
	chan  b[2] = [1] of { byte };
	outer c;
	chan  d = [1] of { byte };

	assert(plain[0] == 1 && plain[1] == 2);
	assert(g.first.in == 3 && g.own == 4 && g.rest[0].in == 5 && g.rest[1].in == 6);
	assert(h.in == 7);
	assert(a.in == 8);
	assert(b[0] == 9 && b[1] == 10);
	assert(c.first.in == 11 && c.own == 12 && c.rest[1].in == 14);
	assert(d == 15)
}
