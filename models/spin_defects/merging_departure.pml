// SPIN: merging makes `x = 1; x = run Idle()` one step, so the process that no longer
// receives has always started the other one. Between the two the send finds nobody,
// and `else` leads to the assertion (`-o3` finds it).
chan c = [0] of { bit };

active proctype Receiver()
{
	byte x;
	if
	:: c?_
	:: x = 1;
	   x = run Idle()
	fi
}

active proctype Sender()
{
	if
	:: c!0
	:: else -> assert(_nr_pr == 3)
	fi
}

proctype Idle()
{
end:	false
}
