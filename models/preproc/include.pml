/* #include of a local header, twice, with an include guard; macros, names and inlines come from it.
   Expected: holds. */
#include "settings.h"
#include "settings.h"

byte n
mtype m = from_header

active proctype p()
{
	byte i;
	for (i : 1 .. LIMIT) {
		note(n)
	}
	assert(n == 0 && m == 2 && m != last_name)
}
