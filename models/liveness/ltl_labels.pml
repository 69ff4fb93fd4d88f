// Remote references to labels: who is where.
byte in;

ltl mutex { [] !(P[0]@critical && P[1]@critical) }
ltl first_enters { <> P[0]@critical }
ltl leaves { [] (P[0]@critical -> <> !P[0]@critical) }

active [2] proctype P() {
  do
  :: atomic { in == 0 -> in = 1 };
critical:
     in = 0
  od
}
