// A deadlock without progress is no non-progress cycle.
chan q = [0] of { bit };
bit x;

active proctype A() {
  do
  :: x == 0 -> x = 1
  :: x == 1 ->
progress:
     q!1
  od
}
