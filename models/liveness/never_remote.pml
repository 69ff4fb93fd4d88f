// A claim over labels of processes.
bit turn;

active [2] proctype P() {
  do
  :: turn == _pid;
cs:  turn = 1 - _pid
  od
}

never {
  do
  :: P[0]@cs && P[1]@cs -> break
  :: else
  od
}
