/* A goto that carries an end, accept or progress label gets a step of its own for the label; an unlabelled one is free.
   Expected: holds. */

byte x

active proctype p()
{
	x = 1;
accept_a: goto next;
	x = 9;
next:	x = 2;
progress_b: goto more;
more:	x = 3;
plain:	goto over;
	x = 9;
over:	x = 4;
end_c:	goto stop;
stop:	skip
}
