/* Two nested escapes open at the same time: the outer one wins by default.
   Expected: holds; which is 2 on every path that leaves by an escape. */

byte which
bool both

active proctype p()
{
	{
		{
			do
			:: which < 1 -> skip; skip
			:: both && which > 7 -> skip; break
			od
		} unless {
			both -> which = 1
		};
		skip
	} unless {
		both -> which = 2
	};
	assert(which == 2)
}

active proctype q()
{
	both = true
}
