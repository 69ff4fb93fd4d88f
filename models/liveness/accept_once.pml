// An accept label that is passed once, on the way to a loop without it.
byte x;

active proctype A() {
accept_start:
  x = 1;
  do
  :: x = 2
  :: x = 1
  od
}
