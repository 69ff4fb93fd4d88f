/* The trace demands that every send is received before the next; the buffer allows two.
   Expected: an event trace error. */

chan q = [2] of { byte }

trace {
	do
	:: q!1 -> q?1
	:: q!2 -> q?2
	od
}

active proctype s() { q!1; q!2 }
active proctype r() { q?1; q?2 }
