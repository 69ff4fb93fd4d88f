/* An atomic that blocks in the middle loses its exclusive right, becomes a stored state, and is exclusive
   again after its next step.  Expected: holds; w never sees x == 3. */

byte x, go

active proctype a()
{
	atomic {
		x = 1;
		go == 1;
		x = 3;
		x = 4
	}
}

active proctype w()
{
	assert(x != 3);
	go = 1;
	assert(x != 3);
	x == 4
}
