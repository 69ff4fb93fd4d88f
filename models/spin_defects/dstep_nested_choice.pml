// SPIN: an option of a choice in a d_step that starts with a choice of its own is
// an error if none of the inner options can be executed, although the next outer
// option can. Outside of d_step the two choices are one.
byte x, y;

active proctype P()
{
	d_step {
		x = 1;
		if
		:: if
		   :: y == 2 -> x = 2
		   fi
		:: y == 0 -> x = 3
		fi
	};
	assert(x == 3)
}
