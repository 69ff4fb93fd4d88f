// Dekker's algorithm, whose loser waits for its turn.
bit turn, want[2];

ltl mutex { [] !(P[0]@cs && P[1]@cs) }
ltl no_starvation { [] (P[0]@trying -> <> P[0]@cs) }

active [2] proctype P() {
  do
  :: want[_pid] = 1;
trying:
     do
     :: want[1 - _pid] == 0 -> break
     :: want[1 - _pid] == 1 && turn != _pid ->
          want[_pid] = 0;
          turn == _pid;
          want[_pid] = 1
     od;
cs:
     turn = 1 - _pid;
     want[_pid] = 0
  od
}
