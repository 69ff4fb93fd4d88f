// flags: -DN=4
/* The largest number in a ring is elected, but two stations have it. Expected: assertion violated, there
   are two leaders. */

#ifndef N
#define N 4
#endif

chan ring[N] = [N] of { byte }
byte leaders

proctype station(byte id)
{
	byte seen, largest = id % 2 + 1, own;
	own = largest;
	ring[(id + 1) % N]!own;
end:	do
	:: ring[id]?seen ->
		if
		:: seen == own -> leaders++; assert(leaders == 1)
		:: seen > largest -> largest = seen; ring[(id + 1) % N]!seen
		:: seen < largest && largest != own -> ring[(id + 1) % N]!seen
		:: else
		fi
	od
}

init
{
	byte i;
	atomic {
		do
		:: i < N -> run station(i); i++
		:: else -> break
		od
	}
}
