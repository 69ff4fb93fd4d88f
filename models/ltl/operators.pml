/* All spellings of the operators, nested, with arithmetic in the predicates.
   Expected: the system is safe; every formula holds except fails. */

#define two (x == 2)
byte x, y

active proctype p()
{
	do
	:: x < 2 -> x++
	:: x == 2 -> d_step { x = 0; y = (y + 1) % 2 }
	od
}

ltl a { always (x + y <= 3) }
ltl b { always eventually (two) }
ltl c { (x == 0) until (x == 1) }
ltl d { (x < 2) weakuntil (x == 2) }
ltl e { (y == 1) release (y * x <= 2) }
ltl f { [] ((x == 1) -> ((x == 1) U (x == 2))) }
ltl g { ([] <> (y == 1)) && ([] <> (y == 0)) }
ltl h { (<> [] (x > 2)) equivalent (false) }
ltl i { ((x == 0) stronguntil (x > 0)) implies (<> (two)) }
ltl j { !(<> (x > 2)) || ([] (y < 2)) }
ltl fails { <> [] (y == 0) }
