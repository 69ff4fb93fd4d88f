/* A ring buffer of two cells guarded by counting semaphores, two producers and two consumers.
   Expected: holds; nothing is lost or read twice. */

#define SIZE 2
byte cell[SIZE]
byte in, out, slots = SIZE, items, produced, consumed
bool mutex

inline wait(s) { atomic { s > 0 -> s-- } }
inline signal(s) { s++ }

active [2] proctype producer()
{
	byte i;
	for (i : 1 .. 2) {
		wait(slots);
		atomic { !mutex -> mutex = true };
		assert(cell[in] == 0);
		cell[in] = 1;
		in = (in + 1) % SIZE;
		produced++;
		mutex = false;
		signal(items)
	}
}

active [2] proctype consumer()
{
	byte i;
	for (i : 1 .. 2) {
		wait(items);
		atomic { !mutex -> mutex = true };
		assert(cell[out] == 1);
		cell[out] = 0;
		out = (out + 1) % SIZE;
		consumed++;
		assert(consumed <= produced);
		mutex = false;
		signal(slots)
	}
}
