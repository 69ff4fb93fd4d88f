// Without a claim: a process that rests at an accept label for ever (accept stutter).
bit y;

active proctype A() {
accept_here:
  y == 1
}
