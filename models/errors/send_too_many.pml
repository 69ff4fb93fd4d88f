/* A send with more terms than the channel has fields, through a channel variable.
   Expected: too many parameters in send. */

chan narrow = [1] of { byte }
chan wide = [1] of { byte, byte }
chan q
byte x

active proctype p()
{
	if
	:: q = narrow
	:: q = wide
	fi;
	q!x, 2;
	x = 2
}
