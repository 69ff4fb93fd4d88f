// An accepting state that lets everything pass: a finite bad prefix, then anything.
byte x;

never {
wait:
  if
  :: x == 3 -> goto accept_all
  :: x != 3 -> goto wait
  fi;
accept_all:
  do
  :: true
  od
}

active proctype A() {
  do
  :: x < 3 -> x++
  :: else -> break
  od
}
