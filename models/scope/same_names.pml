/* The same local name in several proctypes, in inlines and as a parameter: all different variables.
   Expected: holds. */

byte sum

inline bump() { byte k = 2; sum = sum + k }

proctype a(byte v) { sum = sum + v; v = 100 }
proctype b() { byte v = 4; bump(); bump(); byte k = 3; assert(v == 4 && k == 3) }

init {
	byte w = 1;
	atomic { run a(w + 7); run b() };
	_nr_pr == 1 -> assert(sum == 12 && w == 1)
}
