/* The operators # and ##, macros over several lines, macros that make whole processes, and macro arguments with commas in parentheses.
   Expected: holds. */

#define COUNTER(name)  byte count_ ## name
#define PROC(name, n) \
active proctype p_ ## name() \
{ \
	byte i; \
	for (i : 1 .. n) { \
		count_ ## name++ \
	} \
	printf(#name); \
	assert(count_ ## name == n) \
}
#define CHOOSE(c, a, b) ((c) -> (a) : (b))
#define ID(x) x
#define CAT(a, b) a ## b
#define XCAT(a, b) CAT(a, b)
#define TEN 10

COUNTER(red)
COUNTER(blue)
byte v10 = 1

PROC(red, 2)
PROC(blue, 1)

active proctype q()
{
	assert(CHOOSE(ID(1 < 2), ID(TEN), 0) == 10);
	assert(XCAT(v, TEN) == 1)
}
