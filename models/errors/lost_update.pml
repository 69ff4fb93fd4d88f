/* Two processes read, add and write back without protection.
   Expected: assertion violated, total can be 1. */

byte total, finished

active [2] proctype adder()
{
	byte copy;
	copy = total;
	total = copy + 1;
	atomic {
		finished++;
		assert(finished < 2 || total == 2)
	}
}
