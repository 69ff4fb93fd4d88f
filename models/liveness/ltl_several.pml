// Several ltl blocks in one model: each is a property of its own.
byte x;

ltl always_small { [] (x < 4) }
ltl reaches_three { <> (x == 3) }
ltl comes_back { [] (x == 3 -> <> (x == 0)) }
ltl never_two { [] (x != 2) }
ltl settles { <> [] (x == 0) }

active proctype Counter() {
  do
  :: x < 3 -> x++
  :: x == 3 -> x = 0
  od
}
