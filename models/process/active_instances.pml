/* Active instances with parameters, several instances with their own locals, and an active count from a macro.
   Expected: holds. */

#define COUNT 2 + 1
byte total

active [COUNT] proctype p(byte n)
{
	byte mine = _pid * 2;
	assert(n == 0);
	n = mine + 1;
	total = total + n
}

active proctype q() { total == 1 + 3 + 5 }
