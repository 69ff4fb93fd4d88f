/* Processes with C state come and go. */
c_state "int room[2]" "Local Child"
c_state "int born" "Global"

proctype Child(byte depth)
{
	c_code { PChild->room[0] = PChild->depth; PChild->room[1] = now.born++; };
	if
	:: depth > 0 -> run Child(depth - 1)
	:: depth > 0 -> c_code { PChild->room[0] = 0; }
	:: depth == 0
	fi;
	assert(c_expr { PChild->room[1] < now.born })
}

init {
	atomic { run Child(2); run Child(1) }
}
