// The same ring with a node that may drop a message: nobody need be elected.
#define N 3

chan link[N] = [2] of { byte };
byte leaders;

ltl eventually_elected { <> (leaders > 0) }
ltl one_for_ever { <> [] (leaders == 1) }
ltl at_most_one { [] (leaders <= 1) }

proctype Node(byte id; byte number) {
  byte other;
  link[(id + 1) % N]!number;
end:
  do
  :: link[id]?other;
     if
     :: other > number -> link[(id + 1) % N]!other
     :: other < number -> skip
     :: other == number -> leaders++
     :: id == 0 -> skip
     fi
  od
}

init {
  atomic {
    run Node(0, 2);
    run Node(1, 0);
    run Node(2, 1)
  }
}
