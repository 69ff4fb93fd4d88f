/* A macro as the bound of a range needs spaces around the dots for the C preprocessor.
   Expected: holds. */

#define LO 1
#define HI 3
#define SPAN LO .. HI

byte hits[5]

active proctype p()
{
	byte i;
	for (i : LO .. HI) { hits[i]++ }
	for (i : SPAN) { hits[i]++ }
	select (i : LO .. HI);
	hits[i] = 0;
	assert(hits[0] == 0 && hits[4] == 0 && hits[1] + hits[2] + hits[3] == 4)
}
