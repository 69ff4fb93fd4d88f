/* for: the index ends one above the bound, an empty range runs no body, the body may change the index,
   break leaves the loop with the index as it is, and bounds are re-evaluated on each round.  Expected: holds. */

byte sum, top = 2
int i

active proctype p()
{
	for (i : 1 .. 3) { sum = sum + i }
	assert(i == 4 && sum == 6)

	for (i : top + 3 .. top) { assert(false) }
	assert(i == 5)

	for (i : -1 .. 1) { sum++ }
	assert(i == 2 && sum == 9)

	for (i : 0 .. 9) { i = i + 4 }
	assert(i == 10)

	for (i : 0 .. 9) {
		if
		:: i == 2 -> break
		:: else
		fi
	}
	assert(i == 2)

	for (i : 0 .. top) {
		if
		:: top < 4 -> top++
		:: else -> skip
		fi
	}
	assert(i == 5 && top == 4)
}
