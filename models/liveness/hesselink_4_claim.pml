// Hesselink, section 4: the claim for !(p U q) with its final state.
byte x ;
#define p (x < 4)
#define q (x == 4)

never { /* !(p U q) */
accept_init:
T0_init:
    if
    :: (! ((q))) -> goto T0_init
    :: (! ((p)) && ! ((q))) -> goto accept_all
    fi;
accept_all:
    skip
}

active proctype A () { do :: atomic{ x < 4 -> x ++ ; } od }
active proctype B () { atomic { x == 2 -> x = 5; } }
