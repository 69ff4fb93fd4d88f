/* #if with arithmetic, defined(), #elif, #else, nesting, #undef and redefinition.
   Expected: holds; exactly the chosen lines take part. */

#define A 2
#define B (A * 3)
#define EMPTY

byte x

#if defined(A) && (B == 6) && !defined(NEVER_DEFINED)
byte y = 1
#elif A == 2
byte y = 2
#else
this is no Promela at all
#endif

#ifdef EMPTY
# if B > 5 || UNKNOWN_IS_ZERO
#  define PICK 10
# else
#  define PICK 20
# endif
#endif

#ifndef PICK
#error PICK must be set
#endif

#undef A
#define A 5

active proctype p()
{
	assert(A == 5 && B == 15 && y == 1 && PICK == 10);
#if (A << 1) - 1 == 9 ? 1 : 0
	x = 7;
#else
	x = 8;
#endif
#ifdef NEVER_DEFINED
	assert(false);
#endif
#if 0
	it's not "even lexed
#endif
	assert(x == 7)
}
