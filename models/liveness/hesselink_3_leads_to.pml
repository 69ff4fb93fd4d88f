// Hesselink, section 3: x == 1 leads to x == 9, but nothing makes x be 9.
byte x = 10 ;

ltl leads_to { [] ((x == 1) -> <> (x == 9)) }
ltl reaches_nine { <> (x == 9) }
ltl until_nineteen { (x < 19) U (x == 19) }

active proctype stepper () { do :: x = (x < 19 -> x+1 : 10) od }

active proctype demon () {
  do
    :: x > 9 -> x = 19
    :: x > 9 -> x = 0
  od
}
