/* Two ends exchange numbers over a channel that may damage what it carries. Expected: assertion violated, a
   damaged acknowledgement makes one end send a number twice. */

mtype = { data, damaged }
chan ab = [1] of { mtype, byte }
chan bc = [1] of { mtype, byte }
chan ca = [1] of { mtype, byte }

proctype end_point(chan from, to)
{
	byte next = 1, got, expected = 1;
	do
	:: from?data(got) ->
		assert(got == expected);
		expected = expected % 7 + 1;
		next = next % 7 + 1;
		to!data(next)
	:: from?damaged(got) -> to!data(next)
	od
}

proctype carrier()
{
	byte what;
	do
	:: bc?data(what) ->
		if
		:: ca!data(what)
		:: ca!damaged(0)
		fi
	:: bc?damaged(what) -> ca!damaged(0)
	od
}

init
{
	atomic {
		run end_point(ab, bc);
		run carrier();
		run end_point(ca, ab)
	};
	ab!damaged(0)
}
