// Polite flags: both step back for ever, also under fairness.
bit want[2];

ltl somebody { <> (P[0]@cs || P[1]@cs) }
ltl mutex { [] !(P[0]@cs && P[1]@cs) }

active [2] proctype P() {
retry:
  want[_pid] = 1;
  if
  :: want[1 - _pid] == 1 -> want[_pid] = 0; goto retry
  :: want[1 - _pid] == 0 -> skip
  fi;
cs:
  want[_pid] = 0;
  goto retry
}
