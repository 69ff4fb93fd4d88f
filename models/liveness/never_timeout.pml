// timeout in a claim: nobody but the claim could move.
bit x;
chan q = [0] of { bit };

never {
  do
  :: timeout -> goto accept_stuck
  :: true
  od;
accept_stuck:
  do
  :: timeout
  od
}

active proctype A() {
  do
  :: x = 1 - x
  :: q!1
  :: x == 1 -> break
  od;
  do
  :: timeout -> break
  od;
  q!0
}
