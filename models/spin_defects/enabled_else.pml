// SPIN: whether an `else` is open is asked with the moves of the asking
// process. `Waiting` can always move, so `enabled(0)` holds and the assertion
// fails; SPIN finds that only if the two options of `Asking` change places.
byte x;

active proctype Waiting()
{
	if
	:: x == 2
	:: else
	fi
}

active proctype Asking()
{
	if
	:: x = 1
	:: enabled(0) -> assert(false)
	fi
}
