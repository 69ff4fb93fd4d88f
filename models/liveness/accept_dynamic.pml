// Processes that are started again and again, each passing an accept label.
proctype Worker() {
accept_work:
  skip
}

init {
  do
  :: _nr_pr == 1 -> run Worker()
  od
}
