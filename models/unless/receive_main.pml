/* A blocked receive in the main part is given up when the escape opens; a buffered message waiting does not matter.
   Expected: holds. */

chan q = [1] of { byte }
chan stop = [1] of { bit }
byte got

active proctype p()
{
	byte v;
	do
	:: q?v -> got++
	od unless { stop?1 };
	assert(len(q) <= 1)
}

active proctype s() { q!1; q!2; stop!1 }
