// B can always move, so a weakly fair run cannot leave it out.
bit x, stop;

ltl stops { <> stop }

active proctype A() {
  do
  :: stop -> break
  :: !stop -> x = 1 - x
  od
}

active proctype B() {
  stop = 1
}
