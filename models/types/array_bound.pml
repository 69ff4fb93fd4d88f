/* An array bound may be an expression of constants, or a scalar that was initialised with a constant
   (SPIN warns about the latter). The bound stays what it was at the start.  Expected: holds. */

byte n = 3
byte cells[n]
byte more[2 * 2 + 1]

active proctype fill()
{
	byte i;
	n = 5;
	do
	:: i < 3 -> cells[i] = i + 1; i++
	:: else -> break
	od
	i = 0;
	for (i in more) {
		more[i] = i
	}
	assert(i == 5 && more[4] == 4 && cells[2] == 3)
}
