/* Three dining philosophers who all take the left fork first.

   A fork is a channel with room for one message: the message is the fork lying on the table.
   Receiving takes the fork, sending puts it back.

   Expected: invalid end state (deadlock): everybody holds a left fork and waits for the right one.
   See philosophers_fixed.pml for a cure. */

#define N 3

chan fork[N] = [1] of { bit }
byte meals

proctype philosopher(byte me)
{
	do
	:: fork[me]?1;                       // left
	   fork[(me + 1) % N]?1;             // right
	   meals = (meals + 1) % 4;          // eat
	   fork[me]!1;
	   fork[(me + 1) % N]!1
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			fork[i]!1;           // lay the table
			run philosopher(i)
		}
	}
}
