/* _last is the process that moved last; using it makes it part of the state.
   Expected: holds. */

byte x

active proctype a() { x++; assert(_last == 0 || _last == 1 || _last == 2); x++ }
active proctype b() { end: _last == 0 -> x = x + 10 }
active proctype c() { skip; if :: _last == 2 -> skip :: _last != 2 -> skip fi }
