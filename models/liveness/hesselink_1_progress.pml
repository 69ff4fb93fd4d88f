// Hesselink, section 1: terminating runs are no non-progress cycles.
bit y ;
byte x ;

active proctype A () {
do
:: ! y -> progress0: x = (x+2) % 5 ;
:: y -> break ;
od
}

active proctype B () { y = 1 ; }
