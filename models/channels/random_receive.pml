/* A random receive takes the first message that fits the constants and eval terms, wherever it stands.
   Expected: holds; the others keep their order. */

chan q = [4] of { byte, byte }
byte want = 2
byte a, b

active proctype p()
{
	q!1, 10; q!2, 20; q!1, 30; q!2, 40;
	q??eval(want), b;      assert(b == 20);
	q??eval(want - 1), 30; assert(len(q) == 2);
	q??a, 40;              assert(a == 2);
	if
	:: q??[2, 40] -> assert(false)
	:: q??[1, 10] -> skip
	fi;
	q?a, b;                assert(a == 1 && b == 10);
	assert(len(q) == 0)
}
