/* A goto after a statement is free; as the only statement of an option it is a step of its own.
   Expected: holds; the counts tell both cases apart. */

byte x

active proctype p()
{
start:	if
	:: x == 0 -> x = 1; goto second       /* free */
	:: goto third                         /* a step */
	fi;
	assert(false)
second:	x = 2;
	goto third;
	assert(false)
third:	x = 3;
	goto done;
done:	skip
}

active proctype forward()
{
	goto there;      /* the process already starts at the label */
	assert(false)
there:	x++
}
