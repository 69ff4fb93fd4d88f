/* A lock-free stack with compare-and-swap and no tag: a popped node comes back at the same place (the ABA problem).
   Expected: assertion violated; a node is handed out while it is in use. */

#define NIL 0
byte next[4] = { 0, 2, 3, 0 }
byte top = 1
bool used[4]

inline pop(n, nx)
{
	do
	:: n = top;
	   if
	   :: n == NIL -> break
	   :: n != NIL
	   fi;
	   nx = next[n];
	   if
	   :: d_step { top == n -> top = nx }; break
	   :: atomic { top != n -> skip }
	   fi
	od;
	nx = 0
}

inline push(n, t)
{
	do
	:: t = top;
	   next[n] = t;
	   if
	   :: d_step { top == t -> top = n }; break
	   :: atomic { top != t -> skip }
	   fi
	od;
	t = 0
}

active proctype slow()
{
	byte n, nx;
	pop(n, nx);
	if
	:: n != NIL -> assert(!used[n]); used[n] = true
	:: n == NIL
	fi
}

active proctype busy()
{
	byte a, b, t;
	pop(a, t);
	if :: a != NIL -> assert(!used[a]); used[a] = true :: a == NIL fi;
	pop(b, t);
	if :: b != NIL -> assert(!used[b]); used[b] = true :: b == NIL fi;
	if
	:: a != NIL -> used[a] = false; push(a, t)
	:: a == NIL
	fi;
	pop(a, t);
	if :: a != NIL -> assert(!used[a]); used[a] = true :: a == NIL fi;
	pop(a, t);
	if :: a != NIL -> assert(!used[a]); used[a] = true :: a == NIL fi
}
