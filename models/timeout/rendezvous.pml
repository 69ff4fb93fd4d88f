/* A pair that cannot meet because the constants differ: both block, and timeout opens for a third.
   Expected: holds. */

chan c = [0] of { byte }
byte key = 1

active proctype s() { c!2 }
active proctype r() { c?eval(key) }
active proctype helper() { timeout -> key = 2; timeout -> assert(_nr_pr == 3) }
