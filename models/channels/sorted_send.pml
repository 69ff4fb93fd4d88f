/* A sorted send inserts before the first larger message, comparing field by field from the left,
   and after equal ones.  Expected: holds for every order of insertion. */

chan q = [4] of { byte, byte, byte }
byte sent

active proctype fill()
{
	bool a, b, c, d;
	do
	:: !a -> q!!2, 1, 10; a = 1; sent++
	:: !b -> q!!1, 9, 11; b = 1; sent++
	:: !c -> q!!2, 0, 12; c = 1; sent++
	:: !d -> q!!1, 9, 13; d = 1; sent++
	:: sent == 4 -> break
	od;
	a = 0; b = 0; c = 0; d = 0;
	byte x;
	q?1, 9, 11;
	q?1, 9, 13;
	q?2, 0, 12;
	q?2, 1, x;
	assert(x == 10 && empty(q))
}
