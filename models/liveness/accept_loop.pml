// An accept label inside a loop of the only process.
byte x;

active proctype A() {
  do
  :: x < 2 -> x++
  :: x == 2 ->
accept_two:
     x = 0
  od
}
