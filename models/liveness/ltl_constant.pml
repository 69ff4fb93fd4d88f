// Formulas without a proposition, and propositions that are constants.
byte x;

ltl taut { [] true }
ltl contra { <> false }
ltl always_or_not { ([] (x == 0)) || (<> (x != 0)) }
ltl nonsense { ([] (x == 0)) && (<> (x != 0)) }

active proctype A() {
  do
  :: x = 1 - x
  od
}
