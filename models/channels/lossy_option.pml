/* A channel that drops by choice: the receiver sees an increasing subsequence.
   Expected: holds. */

chan q = [2] of { byte }
byte last

active proctype s()
{
	byte i;
	for (i : 1 .. 4) {
		if
		:: q!i
		:: skip
		fi
	}
	q!99
}

active proctype r()
{
	byte v;
	do
	:: q?v -> assert(v > last); last = v;
		if :: v == 99 -> break :: v < 99 fi
	od
}
