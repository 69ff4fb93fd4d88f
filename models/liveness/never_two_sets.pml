// Two things again and again, counted through: first a, then b, then accept.
bit a, b;

never {
need_a:
  if
  :: a -> goto need_b
  :: !a -> goto need_a
  fi;
need_b:
  if
  :: b -> goto accept_both
  :: !b -> goto need_b
  fi;
accept_both:
  if
  :: true -> goto need_a
  fi
}

active proctype P() {
  do
  :: a = 1; a = 0
  :: b = 1; b = 0
  od
}
