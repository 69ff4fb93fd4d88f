/* Active proctypes and init take their pids in text order, also when init stands in the middle.
   Expected: holds. */

active [2] proctype a() { assert(_pid == 0 || _pid == 1) }
init { assert(_pid == 2 && _nr_pr >= 3) }
active proctype b() { assert(_pid == 3) }
