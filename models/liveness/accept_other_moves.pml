// A resting process keeps the state accepting while another one moves.
bit x, stop;

active proctype Rests() {
accept_rest:
  stop == 1
}

active proctype Moves() {
  do
  :: x = 1 - x
  od
}
