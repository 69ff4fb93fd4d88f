// The choice is inside one process: no fairness among processes forces it.
bit stop, x;

ltl stops { <> stop }

active proctype A() {
  do
  :: x = 1 - x
  :: stop = 1; break
  od
}
