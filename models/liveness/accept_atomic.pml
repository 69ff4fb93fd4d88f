// An accept label in the middle of an atomic sequence.
bit x;

active proctype A() {
  do
  :: atomic {
       x = 1;
accept_inside:
       x = 0
     }
  od
}
