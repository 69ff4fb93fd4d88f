// A loop that passes a progress label in each round.
byte x;

active proctype A() {
  do
  :: x = 1;
progress_a:
     x = 0
  od
}
