/* A buffered channel is a queue: full blocks the sender, empty blocks the receiver, len counts.
   Expected: holds. */

chan q = [2] of { byte }

active proctype sender()
{
	byte i;
	for (i : 1 .. 4) {
		q!i
	}
}

active proctype receiver()
{
	byte v, last;
	do
	:: q?v ->
		assert(v == last + 1 && len(q) <= 2);
		last = v;
		if
		:: v == 4 -> break
		:: v < 4
		fi
	od
}
