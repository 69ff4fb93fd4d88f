// Accept labels of a process are no part of an ltl property. SPIN mixes them up.
byte x;

ltl small { [] (x < 2) }

active proctype A() {
accept_here:
  do
  :: x = 1 - x
  od
}
