// A process that rests at a progress label makes every state one of progress.
bit a, never_set;

active proctype Rests() {
progress_rest:
  never_set == 1
}

active proctype Moves() {
  do
  :: a = 1 - a
  od
}
