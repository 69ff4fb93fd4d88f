/* A read one past the end of an array; execution goes on after the report.
   Expected: invalid array index. */

byte a[3]
byte i

active proctype p()
{
	do
	:: i < 4 -> assert(a[i] >= 0); i++
	:: i == 4 -> break
	od
}
