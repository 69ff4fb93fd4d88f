// Three processes: the first is served always, the second under weak, the third only
// under strong fairness.
bit x;
bool first, second, third;

ltl f1 { <> (first || x == 1 || x == 0) }
ltl f2 { <> second }
ltl f3 { <> third }

active proctype Clock() {
  do
  :: x = 1 - x
  od
}

active proctype Second() {
  second = true
}

active proctype Third() {
  x == 1 -> third = true
}
