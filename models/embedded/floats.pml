/* Numbers that Promela does not have. */
c_state "float f" "Local main" "1.5"

active proctype main()
{
	byte rounds;
	do
	:: c_expr { Pmain->f <= 300 } ->
		c_code { Pmain->f = 1.5 * Pmain->f; };
		rounds++
	:: c_expr { Pmain->f > 300 } -> break
	od;
	assert(rounds == 14)
}
