/* timeout inside a larger expression, and two processes that both wait for it: any of them may go first.
   Expected: holds; order records who went first. */

byte order, x

active proctype a()
{
	(timeout || x == 9);
	order = order * 10 + 1
}

active proctype b()
{
	timeout && x == 0;
	order = order * 10 + 2
}

active proctype c()
{
	x = 0;
	order == 12 || order == 21;
	skip
}
