// Local variables of processes in a formula.
ltl small { [] (P[0]:count < 3) }
ltl fills { <> (P[0]:count == 2) }
ltl both_fill { <> (P[0]:count == 2 && P[1]:count == 2) }

active [2] proctype P() {
  byte count;
  do
  :: count < 2 -> count++
  :: else -> break
  od;
wait:
  false
}
