// A process that is gone: its labels are false, its variables 0.
bit over;

ltl gone { <> [] !(Q[1]@here) }
ltl zero { [] (over -> (Q[1]:v == 0)) }
ltl was_there { <> Q[1]@here }

active proctype P() {
  over = 1
}

active proctype Q() {
  byte v;
  v = 0;
here:
  v = 0
}
