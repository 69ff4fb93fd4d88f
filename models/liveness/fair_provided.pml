// A provided clause switches a process off: then it is not enabled.
bit on, x;

ltl served { <> (x == 1) }

active proctype Switch() {
  do
  :: on = 1
  :: on = 0
  od
}

active proctype Worker() provided (on == 1) {
  x = 1
}
