/* Macros of the model are known in its C. */
#define N 3
#define NEXT(i) (((i) + 1) % N)
#define CELL(i) now.ring[i]
#ifndef START
#define START 1
#endif
byte ring[N];
byte at = START;

active [2] proctype A()
{
	byte k;
	do
	:: k < N ->
		c_code {
			CELL(now.at)++;
			now.at = NEXT(now.at);
#if N > 2
			PA->k += 1;
#endif
		}
	:: else -> break
	od;
	assert(ring[0] <= 2 * N)
}
