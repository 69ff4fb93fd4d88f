// _last: who moved last. Without fairness one process may have the stage for itself.
ltl both_move { ([] <> (_last == 0)) && ([] <> (_last == 1)) }
ltl zero_moves { [] <> (_last == 0) }

active [2] proctype P() {
  bit b;
  do
  :: b = 1 - b
  od
}
