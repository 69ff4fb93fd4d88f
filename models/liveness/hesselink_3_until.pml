// Hesselink, section 3: with the reset disabled, x < 19 holds until x is 19.
byte x = 10 ;

ltl until_nineteen { (x < 19) U (x == 19) }

active proctype stepper () { do :: x = (x < 19 -> x+1 : 10) od }

active proctype demon () {
  do
    :: x > 9 -> x = 19
    :: x > 19 -> x = 0
  od
}
