// A d_step is one move: its middle is never seen by a formula.
byte x;

ltl never_one { [] (x != 1) }
ltl returns { [] <> (x == 0) }

active proctype A() {
  do
  :: d_step { x = 1; x = 2 };
     x = 0
  od
}
