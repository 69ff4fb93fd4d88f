// else in a claim, and a way back from the accepting state.
bit busy;

never {
start:
  if
  :: busy -> goto accept_busy
  :: else -> goto start
  fi;
accept_busy:
  if
  :: busy -> goto accept_busy
  :: else -> goto start
  fi
}

active proctype A() {
  do
  :: busy = 1; busy = 0
  od
}
