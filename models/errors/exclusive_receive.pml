/* Two processes receive from a channel that one of them reserved for itself with xr.
   Expected: an error about the promise under partial-order reduction; it is not tested in a full search. */

chan q = [2] of { byte }

active proctype a() { xr q; q?1 }
active proctype b() { q?2; q?1 }
active proctype s() { q!1; q!2; q!1 }
