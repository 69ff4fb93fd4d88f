// Fairness decides about an accept label: A cannot stay while B leaves it out.
bit b;

active proctype A() {
  bit x;
accept_spin:
  do
  :: b == 0 -> x = 1 - x
  :: b == 1 -> goto out
  od;
out:
  do
  :: x = 1 - x
  od
}

active proctype B() {
  b = 1
}
