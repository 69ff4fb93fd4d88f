// Ending is a move too: under weak fairness a process that is done goes away.
bit x;

ltl goes_away { <> (_nr_pr == 1) }

active proctype A() {
  do
  :: x = 1 - x
  od
}

active proctype B() {
  skip
}
