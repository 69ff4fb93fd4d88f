/* An ended process below a live one stays in its slot; the counts show these states, and the slots are freed from the top.
   Expected: invalid end state, since the youngest waits for ever. */

byte x

active proctype a() { x++ }
active proctype b() { x++; x++ }
active proctype c() { x == 9 }
