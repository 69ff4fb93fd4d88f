/* Leader election on a ring: the process with the largest number wins.

   Everybody sends its number to its neighbour. A process passes larger numbers on and drops smaller ones.
   Who gets its own number back knows that it went all the way round, so it is the largest.

   Expected: no errors; exactly one leader, and it is the right one. */

#define N 4

chan link[N] = [N] of { byte }     // link[i] leads to process i
byte leaders                       // how many processes think they lead

proctype member(byte place, number)
{
	byte n;

	link[(place + 1) % N]!number;
end:	do                                     // waiting for messages for ever is fine
	:: link[place]?n ->
		if
		:: n > number -> link[(place + 1) % N]!n
		:: n < number                          // drop it
		:: n == number ->
			leaders++;
			assert(leaders == 1 && number == 9)
		fi
	od
}

init {
	atomic {
		run member(0, 4);
		run member(1, 9);
		run member(2, 2);
		run member(3, 7)
	}
}
