// A claim that reaches its end: no cycle is needed.
byte x;

never {
  do
  :: x == 2 -> break
  :: else
  od
}

active proctype A() {
  do
  :: x < 3 -> x++
  :: x == 3 -> x = 0
  od
}
