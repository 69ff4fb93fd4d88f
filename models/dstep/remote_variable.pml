/* An assignment in a d_step may read variables of other processes. */
byte g;
active proctype A() { byte x = 3; x = 4; x = 5 }
active proctype B()
{
	d_step { g = A[0]:x; g = g + A[0]:x };
	assert(g != 8)
}
