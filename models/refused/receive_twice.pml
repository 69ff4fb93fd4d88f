/* Wrong: the same variable in two fields of one receive. */

chan q = [1] of { byte, byte }
byte x

active proctype p()
{
	q!1, 2;
	q?x, x
}
