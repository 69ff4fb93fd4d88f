// Three philosophers, one of them left-handed: no deadlock, yet one may starve.
byte fork[3];

ltl first_eats { <> Phil[0]@eats }
ltl first_keeps_eating { [] <> Phil[0]@eats }
ltl somebody_eats { [] <> (Phil[0]@eats || Phil[1]@eats || Phil[2]@eats) }

active [3] proctype Phil() {
  byte a, b;
  d_step {
    if
    :: _pid == 2 -> a = 0; b = 2
    :: else -> a = _pid; b = _pid + 1
    fi
  }
  do
  :: atomic { fork[a] == 0 -> fork[a] = 1 };
     atomic { fork[b] == 0 -> fork[b] = 1 };
eats:
     fork[b] = 0;
     fork[a] = 0
  od
}
