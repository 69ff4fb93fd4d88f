/* One sender, three kinds of receivers: plain, first in an atomic, first in a d_step.
   Expected: holds; only the plain receiver can be interrupted after the handshake. */

chan c = [0] of { byte }
byte x, busy

active proctype s() { c!1; c!2; c!3 }

active proctype plain() { byte v; c?v; x = v; x = 0 }
active proctype at() { byte v; atomic { c?v; busy = 1; x = v; busy = 0 } }
active proctype ds() { byte v; d_step { c?v; busy = 1; x = v; busy = 0 } }
active proctype watch() { assert(busy == 0) }
