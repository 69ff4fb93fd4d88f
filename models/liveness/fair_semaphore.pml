// Starvation at a semaphore: weak fairness does not help, strong fairness does.
byte free = 1;

ltl first_enters { <> P[0]@cs }
ltl again_and_again { [] <> P[0]@cs }
ltl mutex { [] !(P[0]@cs && P[1]@cs) }

active [2] proctype P() {
  do
  :: atomic { free > 0 -> free-- };
cs:
     free++
  od
}
