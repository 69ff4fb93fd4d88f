/* Plain braces group statements without any cost, at any depth and as an option.
   Expected: holds; the counts equal those of the same body without braces. */

byte x

active proctype with()
{
	{ { x++ }; { { x++; skip } } };
	if
	:: { x > 0; { x-- } }
	:: { { x == 0 } }
	fi
}

active proctype without()
{
	x++; x++; skip;
	if
	:: x > 0; x--
	:: x == 0
	fi
}
