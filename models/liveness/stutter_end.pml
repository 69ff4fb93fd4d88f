// A run that ends is extended by repeating its last state.
byte x;

ltl stays_two { <> [] (x == 2) }
ltl comes_back { [] <> (x == 0) }
ltl odd { [] <> (x == 1) }

active proctype A() {
  x = 1;
  x = 2
}
