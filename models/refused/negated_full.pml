/* Wrong: full may not be negated; nfull is meant. */

chan q = [1] of { byte }

active proctype p()
{
	if
	:: !full(q) -> q!1
	:: full(q)
	fi
}
