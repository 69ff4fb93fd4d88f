/* select inside atomic and as an option, and in a loop: the choice is part of the unit.
   Expected: holds. */

byte d, total, throws

active proctype dice()
{
	do
	:: throws < 2 ->
		atomic {
			select (d : 1 .. 6);
			total = total + d;
			throws++;
			d = 0
		}
	:: throws == 2 -> break
	od;
	assert(total >= 2 && total <= 12)
}
