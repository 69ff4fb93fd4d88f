// Formulas that a finite run refutes: SPIN reports them as assertions or ends of claims.
byte x;

ltl invariant { [] (x != 3) }
ltl precedence { (x < 2) W (x == 2) }
ltl bounded { [] (x <= 5) }

active proctype A() {
  do
  :: x < 5 -> x++
  :: else -> break
  od
}
