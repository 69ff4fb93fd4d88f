/* Two transitions of a trace match the same event.
   Expected: an error about the trace. */

chan q = [2] of { byte }

trace {
	if
	:: q!1 -> q!2
	:: q!_ -> q!3
	fi
}

active proctype s() { q!1; q!2 }
