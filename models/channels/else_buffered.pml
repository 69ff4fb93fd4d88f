/* else beside a buffered send: open exactly when the channel is full (SPIN complains, but accepts).
   Expected: holds; two are kept and one is dropped. */

chan q = [2] of { byte }
byte dropped

active proctype p()
{
	byte i;
	for (i : 1 .. 3) {
		if
		:: q!i
		:: else -> dropped++
		fi
	}
	assert(dropped == 1 && len(q) == 2 && q?[1])
}
