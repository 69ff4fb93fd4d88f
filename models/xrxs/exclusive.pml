/* xr and xs promise one receiver and one sender; the model keeps the promise and reduction may use it.
   Expected: holds. */

chan ab = [2] of { byte }
chan ba = [2] of { byte }
chan log1 = [3] of { byte }
chan log2 = [3] of { byte }

active proctype a()
{
	xs ab;
	xr ba;
	xs log1, log2;
	byte i, v;
	for (i : 1 .. 3) { ab!i }
	for (i : 1 .. 3) { ba?v; assert(v == i) }
	log1!v;
	log2!v
}

active proctype b()
{
	xr ab;
	xs ba;
	byte i, v;
	for (i : 1 .. 3) { ab?v; ba!v }
}
