/* Three smokers, each with one ingredient, and an agent that lays out the two others.
   Expected: holds; only the right smoker picks up. */

mtype = { tobacco, paper, match }
chan table = [2] of { mtype }
byte smoking
bool lit

proctype smoker(mtype a, b)
{
end:	do
	:: atomic { table??[eval(a)] && table??[eval(b)] && !lit ->
		table??eval(a);
		table??eval(b);
		lit = true };
	   smoking++;
	   assert(smoking == 1 && empty(table));
	   smoking--;
	   lit = false
	od
}

init {
	atomic {
		run smoker(paper, match);
		run smoker(tobacco, match);
		run smoker(tobacco, paper)
	};
	do
	:: empty(table) && !lit ->
		if
		:: atomic { table!paper; table!match }
		:: atomic { table!match; table!tobacco }
		:: atomic { table!tobacco; table!paper }
		fi
	od
}
