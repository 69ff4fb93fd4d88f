/* C code under an escape; c_decl inside a body is a step. */
byte x;

active proctype A()
{
	c_decl { int unused; };
	{
		c_code { now.x++; };
		c_code { now.x += 2; };
		x++
	} unless {
		c_expr { now.x >= 3 } -> c_code { now.x = 100; }
	};
	assert(x == 100 || x == 4)
}

active proctype B()
{
	c_code { now.x++; }
}
