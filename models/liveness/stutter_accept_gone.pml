// The accept label is passed and the process ends: nothing is repeated.
active proctype A() {
accept_here:
  skip
}
