/* Control travels along a chain of rendezvous inside atomics: a gives to b, b to c, without anyone else in between.
   Expected: holds. */

chan ab = [0] of { byte }
chan bc = [0] of { byte }
byte token

active proctype a() { atomic { token = 1; ab!1; token == 3; token = 4 } }

active proctype b()
{
	byte v;
	atomic { ab?v; token = 2; bc!v + 1 }
	token == 4
}

active proctype c()
{
	byte v;
	atomic { bc?v; assert(token == 2); token = 3; v = 0 }
}

active proctype spy()
{
	assert(token != 1 && token != 2)
}
