/* Several named formulas with both notations of the operators, over variables, labels and comparisons.
   Expected: the system is safe; mutex, answer and word hold, never_two does not. */

byte n
bool req

active proctype p()
{
	do
	:: n < 3 -> n++
	:: n == 3 -> req = true;
wait:	   req == false;
	   n = 0
	od
}

active proctype q()
{
end:	do
	:: req -> req = false
	od
}

ltl mutex { [] (n <= 3) }
ltl answer { [] ((req) -> <> (!req)) }
ltl word { always ((n == 3) implies (n > 1)) }
ltl never_two { !(<> (n == 2)) }
ltl until_ok { (n == 0) U (n == 1) }
ltl weak { (n < 3) W (n == 3) }
ltl release_ok { (n == 3) V (n < 4) }
ltl at_label { [] (p@wait -> (n == 3)) }
ltl words { eventually (n == 1) && (always (n < 4)) || (true until (n == 2)) }
ltl equal { [] ((n == 3) <-> !(n != 3)) }
