/* Global initialisers run by kind of type (unsigned, bit, byte, chan, mtype, short, int, struct), not in text order,
   so a byte sees an int that was declared above it as still 0.  Expected: every assertion holds in the verifier. */

int   late  = 3
byte  early = late + 1
unsigned first : 4 = 2
bit   second = first
short mid   = early + 10
int   last  = mid + late

active proctype p()
{
	byte kept = early;
	assert(early == 1)
	assert(second == 0)
	assert(mid == 11)
	assert(last == 14)
	assert(kept == 1)
}
