// Fairness as the premise of a formula instead of an option.
bit turn;
bool worked;

ltl unconditional { <> worked }
ltl under_premise { ([] <> (turn == 1)) -> <> worked }

active proctype Scheduler() {
  do
  :: turn = 0
  :: turn = 1
  od
}

active proctype Worker() {
  turn == 1 -> worked = true
}
