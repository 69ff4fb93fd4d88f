// Hesselink, section 1: stutter steps create an accept cycle when B acts first.
bit y = 0 ;
active proctype A () { accept0:    y == 0 ; }
active proctype B () {           y = 1 ; }
