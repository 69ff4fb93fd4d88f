/* A structure with mtype subtypes, channels and arrays, used as an array of records indexed by another record's field.
   Expected: holds. */

mtype:color = { red, green, blue }
typedef lamp { mtype:color c = green; byte power[2] = 5 }
typedef board { lamp l[2]; byte cur }

board b[2]

active proctype p()
{
	byte i;
	for (i in b) {
		assert(b[i].l[1].c == green && b[i].l[0].power[1] == 5)
	};
	b[1].cur = 1;
	b[1].l[b[1].cur].c = blue;
	b[0].l[b[b[1].cur].cur].power[b[0].cur] = 300;
	assert(b[1].l[1].c == 1 && b[0].l[1].power[0] == 44);
	b[0].l[0].power[1]++;
	assert(b[0].l[0].power[1] == 6)
}
