/* empty, nempty, full and nfull as guards, combined with && and ||, and len in arithmetic.
   Expected: holds. */

chan q = [2] of { byte }
chan r = [1] of { byte }

active proctype pump()
{
	byte moved;
	do
	:: nfull(q) && moved < 3 -> q!moved; moved++
	:: nempty(q) && nfull(r) -> byte v; q?v; r!v
	:: full(r) || len(q) + len(r) > 2 -> r?_
	:: empty(q) && empty(r) && moved == 3 -> break
	od;
	assert(len(q) + 2 * len(r) == 0)
}
