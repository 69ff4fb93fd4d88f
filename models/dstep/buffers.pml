/* Sends and receives on buffered channels inside a d_step, with random receive and sorted send.
   Expected: holds. */

chan q = [3] of { byte }
byte v, w

active [2] proctype p()
{
	d_step {
		nfull(q) && len(q) < 2 ->
		q!!3 - _pid;
		q!!2 - _pid;
		q??2;
		q?v;
		w = v;
		v = 0
	};
	assert(w == 1 || w == 3);
	assert(empty(q))
}
