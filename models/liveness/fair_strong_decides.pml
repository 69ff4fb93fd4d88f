// B can move again and again, but not always: only strong fairness helps it.
bit x, stop;

ltl stops { <> stop }

active proctype A() {
  do
  :: stop -> break
  :: x = 1 - x
  od
}

active proctype B() {
  x == 1 -> stop = 1
}
