// Infinitely often and eventually for ever are each other's duals.
bit lamp;

ltl blinks { [] <> (lamp == 1) }
ltl goes_dark { <> [] (lamp == 0) }
ltl dual { ([] <> (lamp == 1)) <-> !(<> [] (lamp == 0)) }

active proctype Lamp() {
  do
  :: lamp = 1; lamp = 0
  :: lamp = 0 -> break
  od
}
