/* Loops with else as the way out, else as a bare option, and a nested loop as the first statement of else.
   Expected: holds. */

byte i, j, n

active proctype p()
{
	do
	:: i < 3 -> i++
	:: else ->
		do
		:: j < i -> j++;
			if
			:: j == 2
			:: else -> n++
			fi
		:: else -> break
		od;
		break
	od;
	assert(i == 3 && j == 3 && n == 2)
}
