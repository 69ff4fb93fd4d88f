// An escape that stays possible need not be taken by an unfair scheduler.
bit stop, x;

ltl escapes { <> (A@out) }

active proctype A() {
  {
    do
    :: x = 1 - x
    od
  } unless { stop };
out:
  x = 0
}

active proctype B() {
  stop = 1
}
