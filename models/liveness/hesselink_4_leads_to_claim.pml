// Hesselink, section 4: the claim for !([] (p -> <> q)) on the stepper and its demon.
byte x = 10 ;
#define p (x == 1)
#define q (x == 9)

never { /* !([] (p -> <> q)) */
T0_init:
    if
    :: (! ((q)) && (p)) -> goto accept_S4
    :: (1) -> goto T0_init
    fi;
accept_S4:
    if
    :: (! ((q))) -> goto accept_S4
    fi;
}

active proctype stepper () { do :: x = (x < 19 -> x+1 : 10) od }

active proctype demon () {
  do
    :: x > 9 -> x = 19
    :: x > 9 -> x = 0
  od
}
