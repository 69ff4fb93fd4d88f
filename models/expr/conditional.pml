/* The conditional expression (c -> a : b), nested, as guard, as array index, as message and as argument.
   Expected: holds. */

chan q = [1] of { byte }
byte a[2] = { 10, 20 }
byte got

proctype child(byte v) { got = v }

active proctype p()
{
	byte i, v;
	do
	:: i < 3 ->
		q!(i == 0 -> 100 : (i == 1 -> 101 : 102));
		q?v;
		assert(v == 100 + i);
		assert(a[(i > 0 -> 1 : 0)] == (i -> 20 : 10));
		i++
	:: (i == 3 -> 1 : 0) -> break
	od
	/* only the chosen branch is evaluated */
	assert((i < 2 -> a[i] : 5) == 5)
	run child((v > 101 -> v - 100 : 0))
	(got == 2)
}
