/* A ring of N stations with a token. Whoever has it may take on a frame, drop one, or do nothing, and passes
   it on. With N = 10 there are more than 80 million states. The seeded error, far from the beginning: every
   station has as many frames as it wants. */

#define QUEUE 3
byte token;
byte queued[N];
byte fitting;

#define WANTED (QUEUE - _pid % 2)

active [N] proctype station()
{
	do
	:: token == _pid ->
		if
		:: skip
		:: queued[_pid] > 0 ->
			if :: queued[_pid] == WANTED -> fitting-- :: else fi;
			queued[_pid]--;
			if :: queued[_pid] == WANTED -> fitting++ :: else fi
		:: queued[_pid] < QUEUE ->
			if :: queued[_pid] == WANTED -> fitting-- :: else fi;
			queued[_pid]++;
			if :: queued[_pid] == WANTED -> fitting++ :: else fi
		fi;
		assert(fitting < N);
		token = (token + 1) % N
	od
}
