/* for over a channel visits each message once by rotating the queue; the contents stay.
   Expected: holds. */

typedef msg { byte key; byte val }
chan q = [4] of { msg }

active proctype p()
{
	msg m;
	byte sum;
	q!1, 10; q!2, 20; q!3, 30;
	for (m in q) {
		sum = sum + m.val;
		assert(len(q) >= 2)
	};
	assert(sum == 60 && len(q) == 3 && q?[1, 10])
}
