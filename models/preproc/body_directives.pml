/* Directives in the middle of bodies, choices and message lists, and comments of both kinds in odd places.
   Expected: holds. */

#define VARIANT 2
chan q = [2] of {
	byte
#if VARIANT > 1
	, byte	/* a second field */
#endif
}
byte x // line comment ends /* here

active proctype p() {
	byte a, b;
	q!1,
#if VARIANT > 1
	2
#endif
	;
	if /* comment
	      over lines */
	:: x == 0 ->
#ifdef VARIANT
		x = VARIANT	// no semicolon needed
#else
		x = 1
#endif
	:: else
	fi;
	q?a/**/,b;
	assert(a + b == 3 && x == 2)
#line 200 "elsewhere"
	assert(__LINE__ == 200)
}
