/* Lamport's bakery for three processes that each enter once; choosing a number is not atomic.
   Expected: holds. */

#define N 3
bool choosing[N]
byte number[N]
byte inside

active [N] proctype customer()
{
	byte j, max;
	choosing[_pid] = true;
	for (j : 0 .. N - 1) {
		if
		:: number[j] > max -> max = number[j]
		:: else
		fi
	}
	number[_pid] = max + 1;
	choosing[_pid] = false;
	max = 0;
	j = 0;
	do
	:: j < N ->
		!choosing[j];
		number[j] == 0 || number[j] > number[_pid] || (number[j] == number[_pid] && j >= _pid);
		j++
	:: j == N -> break
	od;
	inside++;
	assert(inside == 1);
	inside--;
	number[_pid] = 0
}
