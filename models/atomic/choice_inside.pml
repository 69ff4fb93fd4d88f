/* Choices with else inside an atomic branch as usual, and a loop inside an atomic is one unit.
   Expected: holds; two processes, few stored states and many atomic steps. */

byte sum

active [2] proctype p()
{
	byte i;
	atomic {
		do
		:: i < 3 ->
			if
			:: sum % 2 == 0 -> sum = sum + 2
			:: sum > 2 -> sum++
			:: else -> sum = sum + 3
			fi;
			i++
		:: else -> break
		od;
		i = 0
	}
	assert(sum < 20)
}
