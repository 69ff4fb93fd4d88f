/* C code in atomic sequences and d_steps. */
c_state "int total" "Global"
byte turn;

active [3] proctype A()
{
	byte n;
	atomic { turn == _pid -> c_code { now.total += 10; }; n = 1 };
	d_step {
		c_code { PA->n += now.total / 10; };
		n++;
		c_code [PA->n > 1] { now.total++; }
	};
	atomic {
		c_expr { now.total > 10 } -> turn++;
		c_code { now.total += now.turn; }
	};
	assert(n >= 3)
}
