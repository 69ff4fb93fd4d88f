/* The write-only variable _ takes anything and keeps nothing; it never tells states apart.
   Expected: holds. */

chan q = [1] of { byte, byte }
byte spare = 3

active proctype p()
{
	byte v;
	do
	:: v < 2 ->
		if
		:: q!1, v
		:: q!2, v
		fi;
		_ = v * 100;
		q?_, v;
		v++
	:: v == 2 -> break
	od;
	_ = spare
}
