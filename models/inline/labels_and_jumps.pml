/* An inline may hold loops, breaks, atomics and a choice as its first statement; called as an option it is
   flattened into the caller's choice.  Expected: holds. */

byte x

inline pick()
{
	if
	:: x == 0 -> x = 1
	:: x == 1 -> x = 2
	fi
}

inline drain(v)
{
	do
	:: v > 0 -> v--
	:: else -> break
	od
}

active proctype p()
{
	do
	:: pick()
	:: x == 2 -> atomic { drain(x) }; break
	od;
	assert(x == 0);
	pick(); pick();
	d_step { drain(x) }
}
