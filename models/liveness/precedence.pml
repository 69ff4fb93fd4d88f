// The parse matters: a unary operator binds tighter than a comparison.
byte x;

ltl meant { [] (x != 3) }
ltl arrow { (x == 0) -> <> (x == 3) }
ltl mixed { [] (x == 0 || x > 0 && x < 4) }

active proctype A() {
  do
  :: x < 3 -> x++
  :: else -> break
  od
}
