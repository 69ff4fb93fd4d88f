// A lock of tickets serves in order: nobody starves under weak fairness.
byte next, serving;

ltl mutex { [] !(P[0]@cs && P[1]@cs) }
ltl served { [] (P[0]@queueing -> <> P[0]@cs) }
ltl unfair_too { [] <> P[0]@cs }

active [2] proctype P() {
  byte mine;
  do
  :: atomic { mine = next; next = (next + 1) % 2 };
queueing:
     serving == mine;
cs:
     serving = (serving + 1) % 2
  od
}
