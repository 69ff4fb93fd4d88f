// np_: the claim that SPIN uses for non-progress cycles, by hand.
bit b;

never {
  do
  :: np_ -> goto accept_np
  :: true
  od;
accept_np:
  do
  :: np_
  od
}

active proctype A() {
  do
  :: b = 1
  :: b = 0;
progress:
     b = 1
  od
}
