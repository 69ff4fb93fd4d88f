// Two readers that overlap shut out the writer for ever, under any fairness.
byte readers;
bit writing;

ltl writes { <> writing }
ltl exclusive { [] !(writing && readers > 0) }
ltl reads { <> (readers > 0) }

active [2] proctype Reader() {
  do
  :: atomic { !writing -> readers++ };
     readers--
  od
}

active proctype Writer() {
  do
  :: atomic { readers == 0 -> writing = 1 };
     writing = 0
  od
}
