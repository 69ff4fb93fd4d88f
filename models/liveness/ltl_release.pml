// p V q: q holds up to and including the first p, or for ever.
bool p, q = true;

ltl released { p V q }
ltl dual { (p V q) <-> !((!p) U (!q)) }
ltl too_early { q V p }

active proctype A() {
  if
  :: p = true; q = false
  :: skip
  fi
}
