// Processes come and go; a claim does not count as one of them.
ltl at_most_two { [] (_nr_pr <= 2) }
ltl alone_again { [] (_nr_pr == 2 -> <> (_nr_pr == 1)) }
ltl keeps_starting { [] <> (_nr_pr == 2) }

proctype Child() {
  skip
}

init {
  do
  :: _nr_pr == 1 -> run Child()
  od
}
