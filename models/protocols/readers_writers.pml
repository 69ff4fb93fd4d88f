/* Readers share, a writer is alone; a room counter under a lock.
   Expected: holds. */

byte readers, writing, active_readers
bool mutex, room

inline down(s) { atomic { !s -> s = true } }
inline up(s) { s = false }

active [2] proctype reader()
{
	do
	:: down(mutex);
	   readers++;
	   if
	   :: readers == 1 -> down(room)
	   :: readers > 1
	   fi;
	   up(mutex);
	   active_readers++;
	   assert(writing == 0);
	   active_readers--;
	   down(mutex);
	   readers--;
	   if
	   :: readers == 0 -> up(room)
	   :: readers > 0
	   fi;
	   up(mutex)
	od
}

active [2] proctype writer()
{
	do
	:: down(room);
	   writing++;
	   assert(writing == 1 && active_readers == 0);
	   writing--;
	   up(room)
	od
}
