/* Two processes that each fill the other's buffer before reading their own.
   Expected: invalid end state when both buffers are full. */

chan ab = [2] of { byte }
chan ba = [2] of { byte }

active proctype a()
{
	byte i;
	do
	:: i < 3 -> ab!i; i++
	:: i == 3 -> break
	od;
	do
	:: i > 0 -> ba?_; i--
	:: i == 0 -> break
	od
}

active proctype b()
{
	byte i;
	do
	:: i < 3 -> ba!i; i++
	:: i == 3 -> break
	od;
	do
	:: i > 0 -> ab?_; i--
	:: i == 0 -> break
	od
}
