/* pc_value(p) is the number of the control state of p, 0 when there is no such process.
   Expected: holds; two processes compare their positions. */

byte x

active proctype a()
{
	x++;
	x++;
	x++
}

active proctype b()
{
	byte at = 0;
	do
	:: pc_value(0) > at -> at = pc_value(0)
	:: x == 3 && pc_value(0) == at -> break
	od;
	assert(pc_value(9) == 0 && pc_value(1) > 0)
}
