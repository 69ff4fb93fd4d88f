// X: the very next state. SPIN must be built for it; the verdicts are in expected.tsv.
byte x;

ltl first_step { X (x == 1) }
ltl second_step { X X (x == 0) }
ltl alternates { [] ((x == 0) -> X (x == 1)) }
ltl stays { [] ((x == 0) -> X (x == 0)) }

active proctype Flip() {
  do
  :: x = 1 - x
  od
}
