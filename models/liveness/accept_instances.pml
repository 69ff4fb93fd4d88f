// Two instances: it is enough that one of them is at the label again and again.
byte turn;

active [2] proctype P() {
  do
  :: turn == 0 -> turn = 1
  :: turn == 1 && _pid == 1 ->
accept_one:
     turn = 0
  :: turn == 1 && _pid == 0 -> turn = 0
  od
}
