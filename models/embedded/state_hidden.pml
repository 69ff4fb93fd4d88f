/* A C variable outside of the state: neither compared nor restored. */
c_state "int calls" "Hidden" "5"

byte x;

active proctype A()
{
	do
	:: x < 4 -> c_code { calls++; now.x++; }
	:: else -> break
	od;
	c_code { calls = 0; };
	assert(x == 4)
}
