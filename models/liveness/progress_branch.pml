// One branch of the loop makes no progress.
byte x;

active proctype A() {
  do
  :: x = 1
  :: x = 0;
progress_b:
     x = 2
  od
}
