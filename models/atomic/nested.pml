/* An atomic inside an atomic changes nothing, a d_step inside is one step, braces are transparent.
   Expected: holds. */

byte x

active proctype p()
{
	atomic {
		x++;
		atomic { x++; x++ };
		d_step { x++; x++; x++ };
		{ x++; { x++ } };
		x = 0
	}
}

active proctype q()
{
	assert(x == 0);
	atomic { skip; assert(x == 0) }
}
