/* A C variable in each process, with a first value that depends on the state. */
byte seed = 3;
c_state "long total" "Local Adder" "now.seed * 10"
c_state "short steps" "Local Adder"

byte results[3];

proctype Adder(byte step)
{
	do
	:: c_expr { PAdder->steps < 3 } ->
		c_code { PAdder->total += PAdder->step; PAdder->steps++; }
	:: c_expr { PAdder->steps == 3 } ->
		c_code { now.results[PAdder->_pid] = PAdder->total; };
		break
	od
}

init {
	seed = 4;
	run Adder(1);
	seed = 5;
	run Adder(2);
	(_nr_pr == 1);
	assert(results[1] == 43 && results[2] == 56)
}
