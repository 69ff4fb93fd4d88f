/* A counting semaphore: three workers, but only two machines.

   P takes a machine and waits while there is none; V gives it back.
   The atomic around test and decrement is what makes it a semaphore: see mutex_broken.pml for what happens without.

   Expected: no errors; never more than two workers at a machine. */

#define MACHINES 2

byte free = MACHINES
byte working

inline P(s) { atomic { s > 0 -> s-- } }
inline V(s) { s++ }

active [3] proctype worker()
{
	do
	:: P(free);
	   working++;
	   assert(working <= MACHINES);
	   working--;
	   V(free)
	od
}
