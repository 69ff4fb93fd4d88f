// flags: -DN=2
/* Suitors propose in the order of their liking; who is left for a better one should go on searching.
   Expected: invalid end state, as the one who is left is told before he has stopped to listen. */

#ifndef N
#define N 2
#endif

bool searching[N]
byte pair[N] = N
byte married

proctype suitor(byte id)
{
	byte bride = id, rival;
	do
	:: married == N -> break
	:: else ->
danger:		searching[id];
		searching[id] = false;
		rival = pair[bride];
		if
		:: rival == N -> pair[bride] = id; married++
		:: rival != N && rival > id -> pair[bride] = id; searching[rival] = true
		:: else -> searching[id] = true
		fi;
		bride = (bride + 1) % N
	od
}

init
{
	byte i;
	atomic {
		do
		:: i < N -> searching[i] = true; run suitor(i); i++
		:: else -> break
		od
	}
}
