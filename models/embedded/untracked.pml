/* A plain C variable: nobody saves it. */
c_code { int calls; }

byte x;

active proctype A()
{
	do
	:: x < 3 -> c_code { calls++; now.x++; }
	:: x == 3 -> break
	od
}
