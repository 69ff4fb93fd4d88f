/* end labels of several spellings make a resting place valid; without them the same place is an error.
   Expected: no invalid end state. */

chan a = [0] of { byte }
chan b = [0] of { byte }

active proctype s1() { end: a?1 }
active proctype s2() { byte v; endless: do :: b?v -> a!v od }
active proctype s3()
{
	b!2;
end_here: b!2
}
active proctype s4()
{
	byte v;
	a?v;
	assert(v == 2)
end_too:
	a?v
}
