// A process inside an atomic sequence that blocks gives up its turn.
bit x, y, done;

ltl finishes { <> done }

active proctype A() {
  atomic {
    y = 1;
    x == 1;
    done = 1
  }
}

active proctype B() {
  do
  :: x = 1
  :: x = 0
  od
}
