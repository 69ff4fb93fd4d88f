// Seven processes: more than SPIN's default of weak fairness has room for.
byte seen;

ltl all_seen { <> (seen == 6) }

active [6] proctype P() {
  seen++
}

active proctype Loop() {
  bit b;
  do
  :: b = 1 - b
  od
}
