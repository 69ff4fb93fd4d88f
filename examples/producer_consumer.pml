/* A producer and a consumer joined by a queue with two places.

   The channel does the waiting for us: sending blocks while the queue is full, receiving while it is empty.

   Expected: no errors; the consumer receives 1, 2, 3, 4, 5 in this order, and both processes end. */

#define ITEMS 5

chan queue = [2] of { byte }

active proctype producer()
{
	byte i;
	for (i : 1 .. ITEMS) {
		queue!i
	}
}

active proctype consumer()
{
	byte item, last;
	do
	:: queue?item ->
		assert(item == last + 1);
		last = item;
		if
		:: item == ITEMS -> break
		:: else                      // go on
		fi
	od;
	assert(empty(queue))
}
