// Figure 8.9: two processes take turns, one of the two states is accepting.
bit s;

active proctype One() {
  do
  :: s == 0 -> s = 1
  od
}

active proctype Two() {
accept:
  do
  :: s == 1 -> s = 0
  od
}
