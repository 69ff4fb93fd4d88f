/* else next to a rendezvous send opens when no receiver is ready; next to a rendezvous receive it is always open.
   Expected: holds; counts show the difference. */

chan c = [0] of { byte }
byte a, b

active proctype s()
{
	if
	:: c!1 -> a = 1
	:: else -> a = 2
	fi
}

active proctype r()
{
	byte v;
	if
	:: c?v -> b = 1
	:: else -> b = 2
	fi;
	assert(v == 0 || b == 1)
}

active proctype check()
{
	timeout;
	assert((a == 1 && b == 1) || (a == 2 && b == 2))
}
