/* timeout as the escape of a waiting loop: it opens when the whole system is stuck.
   Expected: holds; all three messages were received first. */

chan q = [1] of { byte }
byte n

active proctype receiver()
{
	byte v;
	{
		do
		:: q?v -> n = n + v
		od
	} unless { timeout -> assert(n == 6) };
	n = 0
}

active proctype sender() { q!1; q!2; q!3 }
