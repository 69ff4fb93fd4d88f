// Hesselink, section 3: with one guard left out, x == 1 no longer leads to x == 9.
byte x = 10 ;

ltl leads_to { [] ((x == 1) -> <> (x == 9)) }

active proctype stepper () { do :: x = (x < 19 -> x+1 : 10) od }

active proctype demon () {
  do
    :: x > 9 -> x = 19
    :: x = 0
  od
}
