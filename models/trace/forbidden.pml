/* notrace: the sequence it describes must not be completed.
   Expected: an error on the path that sends 1, 2, 3. */

chan q = [3] of { byte }

notrace {
	q!1; q!2; q!3
}

active proctype s()
{
	q!1;
	if
	:: q!2; q!3
	:: q!3; q!2
	fi
}
