/* Names of inner blocks are separate variables, each block its own, and each is reset where it is declared.
   Expected: holds. */

byte out

active proctype p()
{
	byte a = 1;
	{
		byte t = 5;
		out = out + t + a
	};
	{
		byte t;
		assert(t == 0);
		t = 9;
		out = out + t
	};
	if
	:: byte t = 3; out = out + t
	:: byte u = 3; out = out + u
	fi;
	assert(out == 18)
}
