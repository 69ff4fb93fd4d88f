/* Leader election on a one-way ring: numbers travel on, smaller ones are swallowed; all orders of the numbers.
   Expected: holds; one leader, and it has the largest number. */

#define N 3
mtype = { candidate, elected }
chan ring[N] = [N] of { mtype, byte }
byte ident[N]
byte leaders, known

proctype node(byte me)
{
	byte n;
	ring[(me + 1) % N]!candidate(ident[me]);
	do
	:: ring[me]?candidate(n) ->
		if
		:: n > ident[me] -> ring[(me + 1) % N]!candidate(n)
		:: n < ident[me]
		:: n == ident[me] ->
			leaders++;
			assert(leaders == 1 && n == N);
			ring[(me + 1) % N]!elected(n)
		fi
	:: ring[me]?elected(n) ->
		atomic { known++; assert(n == N) };
		if
		:: n != ident[me] -> ring[(me + 1) % N]!elected(n)
		:: else
		fi;
		break
	od
}

init {
	byte i;
	atomic {
		if
		:: ident[0] = 1; ident[1] = 2; ident[2] = 3
		:: ident[0] = 1; ident[1] = 3; ident[2] = 2
		:: ident[0] = 2; ident[1] = 1; ident[2] = 3
		:: ident[0] = 2; ident[1] = 3; ident[2] = 1
		:: ident[0] = 3; ident[1] = 1; ident[2] = 2
		:: ident[0] = 3; ident[1] = 2; ident[2] = 1
		fi;
		for (i : 0 .. N - 1) { run node(i) }
	};
	_nr_pr == 1 -> assert(known == N)
}
