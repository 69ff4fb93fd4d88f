// B makes progress, A does not: only an unfair run has A alone.
bit a, b;

active proctype A() {
  do
  :: a = 1 - a
  od
}

active proctype B() {
  do
  :: b = 1;
progress:
     b = 0
  od
}
