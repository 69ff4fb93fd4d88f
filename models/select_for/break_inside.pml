/* for inside do and do inside for: break always leaves the innermost one, which a for is too.
   Expected: holds. */

byte i, j, outer

active proctype p()
{
	do
	:: outer < 2 ->
		for (i : 1 .. 3) {
			do
			:: j < i -> j++
			:: j >= i -> break
			od;
			if
			:: i == 2 -> break
			:: i != 2
			fi
		};
		assert(i == 2 && j == 2);
		j = 0;
		outer++
	:: outer == 2 -> break
	od
}
