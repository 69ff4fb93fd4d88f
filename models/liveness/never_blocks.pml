// A claim that cannot move ends the run silently: nothing after x == 1 is looked at.
byte x;

never {
accept_zero:
  do
  :: x == 0
  od
}

active proctype A() {
  x = 1;
  do
  :: x = 1
  od
}
