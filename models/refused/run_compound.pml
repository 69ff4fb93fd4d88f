/* Wrong: run as part of a larger condition. */

byte x

proctype c() { x++ }

init {
	if
	:: run c() && x == 0 -> skip
	:: x > 5
	fi
}
