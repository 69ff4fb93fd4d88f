/* run as a condition, in an assignment and inside an arithmetic right side.
   Expected: holds. */

byte n
pid p

proctype child() { n++ }

init {
	run child() -> n == 1;
	p = run child();
	assert(p > 0);
	(n == 2);
	p = 10 * run child();
	if
	:: run child() -> skip
	fi;
	assert(p % 10 == 0 && p <= 30);
	n == 4
}
