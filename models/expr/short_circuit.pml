/* && and || stop at the first operand that decides, so the index is never out of range;
   the bit operators evaluate both sides.  Expected: holds, no bad index. */

byte a[3] = { 1, 0, 1 }
byte zeros

active proctype scan()
{
	byte i;
	do
	:: i < 3 && a[i] == 0 -> zeros++; i++
	:: i < 3 && a[i] != 0 -> i++
	:: !(i < 3) || a[i] == 7 -> break
	od
	assert(zeros == 1 && (i >= 3 || a[i]))
}
