/* Labels of jumps, referred to by others: each such jump is a step, and changes the numbers of statements. */
byte x;

proctype A() {
a:	do
	:: x == 1 -> x = 2; break
	:: x == 3 -> goto a
	od;
P0:	goto b;
c:	x = 5;
P1:	goto c;
b:	x = 6;
P2:	goto a
}

proctype B() {
	x = 1;
	!A[1]@P1;
	if
	:: A@P0 -> x = 1; A[1]@P2
	:: A@P1 -> x = 3
	fi;
	x = 3
}

init { run A(); run B(); A[1]@P0; assert(x != 2) }
