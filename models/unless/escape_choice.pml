/* An escape that is itself a choice: all its open options are explored, and only those.
   Expected: holds; got is 1 or 2, never 0. */

chan c = [1] of { byte }
byte got

active proctype p()
{
	byte v;
	{
		got == 9;
		assert(false)
	} unless {
		if
		:: c?1 -> got = 1
		:: c?v -> got = 2
		:: c?[3] -> got = 3
		fi
	};
	assert(got == 2 || v == 0)
}

active proctype q()
{
	if
	:: c!1
	:: c!2
	:: c!3
	fi
}
