/* A provided clause is tested before every step of the process, its termination included.
   Expected: holds; strict alternation. */

byte turn, n

active proctype a() provided (turn == 0)
{
	do
	:: n < 4 -> n++; turn = 1
	:: n >= 4 -> break
	od;
	turn = 1
}

active proctype b() provided (turn == 1)
{
	do
	:: n < 4 -> n++; turn = 0
	:: n >= 4 -> break
	od;
	turn = 0
}
