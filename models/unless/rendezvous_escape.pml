/* A rendezvous receive as the escape: it fires whenever the sender offers, before any step of the main part.
   Expected: holds. */

chan kill = [0] of { byte }
byte work, how

active proctype worker()
{
	{
		do
		:: work < 3 -> work++
		:: work == 3 -> work = 0
		od
	} unless {
		kill?how
	};
	assert(how == 7)
}

active proctype killer()
{
	kill!7
}
