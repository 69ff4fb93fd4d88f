// What X asks, written as a claim: x is 0 and is 0 again in the next state.
byte x;

never {
wait:
  if
  :: x == 0 -> goto again
  :: true -> goto wait
  fi;
again:
  if
  :: x == 0 -> goto caught
  fi;
caught:
  skip
}

active proctype Flip() {
  do
  :: x = 1; x = 0
  od
}
