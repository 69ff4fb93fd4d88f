/* The claim turns in circles inside an atomic sequence: no step of it is ever complete. */
byte x;

active proctype P() {
	do
	:: x < 3 -> x++
	:: x = 0
	od
}

never {
	atomic {
		do
		:: x < 9 -> skip
		od
	}
}
