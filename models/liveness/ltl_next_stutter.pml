// X at the end of a run: the last state is repeated.
byte x;

ltl last_repeats { [] ((x == 2) -> X (x == 2)) }
ltl moves { [] X (x != 0) }
ltl one_more { <> ((x == 2) && X (x == 3)) }

active proctype Up() {
  x = 1;
  x = 2
}
