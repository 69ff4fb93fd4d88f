/* Choices with several channels on both sides: only complementary pairs can happen.
   Expected: invalid end state is possible when the pairs do not fit. */

chan a = [0] of { bit }
chan b = [0] of { bit }
byte done

active proctype p()
{
	if
	:: a!1 -> b?0
	:: b?1 -> a?1
	fi;
	done++
}

active proctype q()
{
	if
	:: a?1 -> b!0
	:: b!1 -> a!1
	:: skip
	fi;
	done++
}
