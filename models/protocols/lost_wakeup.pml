/* A condition variable used with an if instead of a loop, and a signal sent before the wait: the signal is lost.
   Expected: invalid end state. */

bool lock, ready, asleep

inline acquire() { atomic { !lock -> lock = true } }
inline release() { lock = false }

active proctype consumer()
{
	bool seen;
	seen = ready;             /* looked without the lock */
	if
	:: !seen ->
		acquire();
		atomic { asleep = true; lock = false };
		!asleep;          /* wait to be woken */
		seen = ready
	:: seen
	fi;
	assert(seen)
}

active proctype producer()
{
	acquire();
	ready = true;
	if
	:: asleep -> asleep = false
	:: !asleep
	fi;
	release()
}
