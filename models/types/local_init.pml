/* Initialisers of locals run in order when the process is created, after its parameters are set and
   with the globals of that moment.  Expected: holds for both instances. */

byte g

proctype p(byte a)
{
	byte b = a * 2;
	byte c = b + g;
	byte d = _pid;

	assert(b == a * 2 && d == _pid)
	if
	:: a == 1 -> assert(c == 2 + 5)
	:: else   -> assert(c == 4 + 6)
	fi
}

init {
	g = 5;
	run p(1);
	g++;
	run p(2);
	g = 0
}
