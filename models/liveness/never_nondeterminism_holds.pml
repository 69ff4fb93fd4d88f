// The same guess where x is 2 again and again.
byte x;

never {
guess:
  do
  :: true
  :: x != 2 -> goto accept_rest
  od;
accept_rest:
  do
  :: x != 2
  od
}

active proctype A() {
  do
  :: x = 1; x = 2; x = 0
  od
}
