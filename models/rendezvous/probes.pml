/* On a rendezvous channel len is 0, empty and nfull hold and nempty does not, whoever is waiting.
   Expected: holds. */

chan c = [0] of { byte }
byte x

active proctype s() { c!5 }

active proctype r()
{
	if
	:: empty(c) && nfull(c) -> x = 1
	:: nempty(c) -> assert(false)
	fi;
	assert(len(c) == 0);
	c?x;
	assert(x == 5 && len(c) == 0)
}
