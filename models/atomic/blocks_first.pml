/* Two processes guard their critical sections with the first statement of an atomic: test and set.
   Expected: holds. */

bool lock
byte inside

active [2] proctype user()
{
	byte turns;
	do
	:: turns < 2 ->
		atomic { !lock -> lock = true };
		inside++;
		assert(inside == 1);
		inside--;
		atomic { lock = false; turns++ }
	:: else -> break
	od
}
