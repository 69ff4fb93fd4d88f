/* Message terms are any expressions; the arrow form q!m(x) is the same as q!m,x; the comma binds looser than all operators.
   Expected: holds. */

mtype = { sum, neg }
chan q = [1] of { mtype, int, int }
byte x = 3, y = 4
int a, b
mtype k

active proctype p()
{
	q!sum(x + y, x * y);
	q?k(a, b);              assert(k == sum && a == 7 && b == 12);
	q!neg, -x, (x > y -> 1 : 2);
	q?k, a, b;              assert(k == neg && a == -3 && b == 2);
	q!sum, x == 3 && y == 4, x | y;
	q?sum, a, b;            assert(a == 1 && b == 7)
}
