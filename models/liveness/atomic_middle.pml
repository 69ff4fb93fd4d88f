// States inside an atomic sequence are not seen by a formula either.
byte x;

ltl never_one { [] (x != 1) }
ltl sees_two { <> (x == 2) }

active proctype A() {
  do
  :: atomic { x = 1; x = 2 };
     x = 0
  od
}
