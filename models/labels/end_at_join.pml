/* An end label behind a choice and before a loop: it marks the point where the branches meet.
   Expected: no invalid end state. */

chan q = [1] of { byte }
byte x

active proctype p()
{
	if
	:: x == 0 -> x = 1
	:: x == 0
	fi;
end:	do
	:: q?x
	od
}

active proctype s()
{
	if
	:: q!2
	:: skip
	fi
}
