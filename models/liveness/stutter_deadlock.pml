// A deadlock is an end like any other: the last state repeats.
chan q = [0] of { byte };
bit x;

ltl answered { [] (x == 1 -> <> (x == 0)) }
ltl stuck { <> [] (x == 1) }

active proctype A() {
  x = 1;
  q!1;
  x = 0
}
