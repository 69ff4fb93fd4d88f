// Leader election in a ring: numbers travel, only the largest comes all the way round.
#define N 3

mtype = { candidate, winner };
chan link[N] = [2] of { mtype, byte };
byte leaders;

#define elected (leaders > 0)
#define one_leader (leaders == 1)
#define no_leader (leaders == 0)

ltl eventually_elected { <> elected }
ltl one_for_ever { <> [] one_leader }
ltl at_most_one { [] (leaders <= 1) }
ltl until_elected { no_leader U one_leader }
ltl never_elected { [] no_leader }

proctype Node(byte id; byte number) {
  mtype kind;
  byte other;
  link[(id + 1) % N]!candidate, number;
end:
  do
  :: link[id]?kind, other;
     if
     :: kind == candidate && other > number -> link[(id + 1) % N]!candidate, other
     :: kind == candidate && other < number -> skip
     :: kind == candidate && other == number -> leaders++; link[(id + 1) % N]!winner, number
     :: kind == winner && other != number -> link[(id + 1) % N]!winner, other; break
     :: kind == winner && other == number -> break
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
