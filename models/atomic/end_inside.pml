/* A process may rest at an end label inside an atomic in which it blocked.
   Expected: no invalid end state. */

chan work = [1] of { byte }
byte handled

active proctype server()
{
	byte job;
end:	do
	:: atomic {
		work?job;
		handled = handled + job;
end_wait:	handled == 3;
		handled = 0
	   }
	od
}

active proctype client()
{
	work!1;
	if
	:: work!2
	:: handled = 3; work!3
	fi
}
