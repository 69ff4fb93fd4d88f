// A nondeterministic claim guesses from when on x is never 2 again.
byte x;

never {
guess:
  do
  :: true
  :: x != 2 -> goto accept_rest
  od;
accept_rest:
  do
  :: x != 2
  od
}

active proctype A() {
  do
  :: x = 1
  :: x = 2; x = 0
  od
}
