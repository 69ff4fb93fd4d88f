// Peterson's algorithm: mutual exclusion always, entry only under weak fairness.
bit turn, want[2];

ltl mutex { [] !(P[0]@cs && P[1]@cs) }
ltl enters { [] (P[0]@waiting -> <> P[0]@cs) }
ltl again_and_again { [] <> P[0]@cs }

active [2] proctype P() {
  do
  :: want[_pid] = 1;
     turn = 1 - _pid;
waiting:
     want[1 - _pid] == 0 || turn == _pid;
cs:
     want[_pid] = 0
  od
}
