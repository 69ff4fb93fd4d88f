/* The atomic ends with the body: the last statement is an ordinary step and termination comes later.
   Expected: holds. */

byte x

proctype child() { atomic { x++; x++; x++ } }

init {
	atomic {
		run child();
		run child();
		x = x + 10
	}
	_nr_pr == 1 -> assert(x == 16)
}
