/* Jumps to a label before a choice, and to labels inside two different options of it.
   Expected: holds. */

byte x, y

active proctype p()
{
top:	if
	:: x == 0 -> x = 1;
one:		y++
	:: x == 1 -> x = 2;
two:		y = y + 2;
		goto done
	fi;
	if
	:: y == 1 -> goto top
	:: y == 2 -> goto two
	:: y == 3 -> goto one
	:: y > 3 -> goto done
	fi;
done:	assert(y < 8);
	if
	:: y == 3 -> goto one
	:: y != 3
	fi
}
