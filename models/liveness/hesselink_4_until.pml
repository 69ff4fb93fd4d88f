// Hesselink, section 4: p U q fails on a run that ends with x == 5.
byte x ;
#define p (x < 4)
#define q (x == 4)

ltl until { p U q }

active proctype A () { do :: atomic{ x < 4 -> x ++ ; } od }
active proctype B () { atomic { x == 2 -> x = 5; } }
