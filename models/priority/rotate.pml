/* Three processes that lower themselves after each piece of work; the priority is part of the state.
   Expected: holds. */

byte work

active [3] proctype p() priority 2
{
	byte i;
	do
	:: i < 2 ->
		work++;
		_priority = 1 + i;
		i++
	:: i == 2 -> break
	od
}
