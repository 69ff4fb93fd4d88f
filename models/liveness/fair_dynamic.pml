// Pids are used again: each child is a process of its own, yet SPIN counts by pid.
bit x;

ltl x_rises { [] <> (x == 1) }

proctype Child() {
  x = 1;
  x = 0
}

init {
  do
  :: _nr_pr == 1 -> run Child()
  od
}
