/* The run stops in the middle of the trace while a process is still alive, and no end label allows that.
   Expected: invalid end state, although the process itself rests at an end label. */

chan q = [2] of { byte }

trace {
	q!1; q!2; q!3
}

active proctype s()
{
	q!1; q!2;
end:	q!3
}
