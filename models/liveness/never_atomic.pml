// Several steps of the claim in one: the atomic part sees one state.
byte x;

never {
  do
  :: atomic { x == 1 -> x < 2 -> goto accept_one }
  :: true
  od;
accept_one:
  do
  :: atomic { x >= 1 -> x <= 2 }
  od
}

active proctype A() {
  x = 1;
  do
  :: x = 2; x = 1
  od
}
