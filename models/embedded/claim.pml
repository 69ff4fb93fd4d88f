/* C in a never claim. */
c_state "int level" "Global"

active [2] proctype A()
{
	do
	:: c_expr { now.level < 3 } -> c_code { now.level++; }
	:: c_expr { now.level > 0 } -> c_code { now.level--; }
	od
}

never {
	do
	:: c_expr { now.level <= 3 }
	:: c_expr { now.level > 3 } -> break
	od
}
