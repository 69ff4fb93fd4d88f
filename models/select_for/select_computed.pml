/* select with computed bounds, or inside an inline, is a loop of increments with a break: more steps, same values.
   Expected: holds. */

byte lo = 1, hi = 3
int v, w

inline pick(x, a, b) { select (x : a .. b) }

active proctype p()
{
	select (v : lo + 1 .. hi);
	assert(v == 2 || v == 3);
	pick(w, 1, 3);
	assert(w >= 1 && w <= 3)
}
