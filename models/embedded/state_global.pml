/* A C variable among the globals: two processes count it up, one down. */
c_state "int count" "Global" "1"

byte done;

active [2] proctype Up()
{
	byte i;
	do
	:: i < 3 -> c_code { now.count += 2; now.done++; }; i++
	:: else -> break
	od
}

active proctype Down()
{
	do
	:: c_expr { now.count > 2 } -> c_code { now.count--; }
	:: c_expr { now.done >= 6 && now.count <= 2 } -> break
	od;
	assert(done == 6)
}
