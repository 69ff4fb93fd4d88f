// Strong and weak until differ where the right side may never come.
bool go, done;

ltl strong { (!done) U go }
ltl weak { (!done) W go }
ltl both { ((!done) U go) -> ((!done) W go) }

active proctype Waiter() {
  do
  :: !go -> skip
  :: go = true; break
  od;
  done = true
}
