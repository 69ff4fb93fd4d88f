// Busy waiting is no progress; weak fairness gets the other one to move.
bit ready;

active proctype Waiter() {
  do
  :: !ready -> skip
  :: ready ->
progress_served:
     ready = 0
  od
}

active proctype Server() {
  do
  :: !ready -> ready = 1
  od
}
