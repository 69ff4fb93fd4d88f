/* Sizes with defaults that a command-line definition can replace, and function-like macros with expressions.
   Expected: holds with the defaults and with -DSIZE=4 or -DFAST. */

#ifndef SIZE
#define SIZE 2
#endif
#ifdef FAST
#define STEP 2
#else
#define STEP 1
#endif
#define MAX(a, b) (((a) > (b)) -> (a) : (b))
#define BETWEEN(lo, v, hi) ((lo) <= (v) && (v) <= (hi))

byte x, top

active [SIZE] proctype p()
{
	do
	:: x < SIZE * 2 -> atomic { x = x + STEP; top = MAX(top, x) }
	:: x >= SIZE * 2 -> break
	od;
	assert(BETWEEN(SIZE * 2, top, SIZE * 2 + 4))
}
