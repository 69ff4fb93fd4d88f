// timeout: a process that waits for it is not enabled while others move.
bit x, y;

ltl fires { <> y }

active proctype Waits() {
  timeout -> y = 1
}

active proctype Moves() {
  do
  :: x == 0 -> x = 1
  :: x == 1 -> x = 0
  :: break
  od
}
