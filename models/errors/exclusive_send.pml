/* Two processes send to a channel that one of them reserved for itself with xs.
   Expected: an error about the promise under partial-order reduction; it is not tested in a full search. */

chan q = [2] of { byte }

active proctype a() { xs q; q!1 }
active proctype b() { q!2 }
active proctype r() { end: do :: q?_ od }
