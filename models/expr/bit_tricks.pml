/* Masks and shifts: a set of four members kept in one byte, walked through all its 16 subsets.
   Expected: holds; 16 values of the set. */

byte set

#define has(i)   ((set >> (i)) & 1)
#define put(i)   set = set | (1 << (i))
#define drop(i)  set = set & ~(1 << (i))
#define flip(i)  set = set ^ (1 << (i))

active proctype walk()
{
	byte k;
	do
	:: atomic { select (k : 0 .. 3);
		if
		:: has(k) -> drop(k); assert(!has(k))
		:: !has(k) -> put(k); assert(has(k))
		fi;
		flip(k); flip(k);
		k = 0 }
	:: set == 15 -> break
	od
	assert(set == 15 && (set ^ 255) == 240)
}
