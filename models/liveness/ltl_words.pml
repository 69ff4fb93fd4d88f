// The operators written as words.
byte x;

ltl a { always (x == 0 implies eventually (x == 1)) }
ltl b { (x == 0) until (x == 1) }
ltl c { (x == 0) weakuntil (x == 2) }
ltl d { (x == 1) release (x < 2) }
ltl e { eventually always (x == 0) }
ltl f { (x == 0) equivalent (x < 1) }

active proctype Flip() {
  do
  :: x = 1; x = 0
  od
}
