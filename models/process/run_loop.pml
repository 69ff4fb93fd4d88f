/* A loop that keeps starting processes and waits for their end: the state space stays finite since slots are reused.
   Expected: holds. */

byte turn

proctype w(byte n) { turn = (turn + n) % 3 }

active proctype boss()
{
	do
	:: run w(1); _nr_pr == 1
	:: run w(2); _nr_pr == 1
	:: turn == 2 -> break
	od
}
