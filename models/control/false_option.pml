/* Options guarded by the constant false are dropped, also when nested; a whole choice of them blocks.
   Expected: invalid end state with x == 2. */

byte x

active proctype p()
{
	if
	:: false -> assert(false)
	:: 0 -> assert(false)
	:: x = 1
	:: { false; x = 9 }
	fi;
	do
	:: 1 -> x = 2; break
	:: false
	od;
	if
	:: false -> x = 3
	fi
}
