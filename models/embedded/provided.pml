/* C decides who may move. */
c_state "int tokens" "Global" "2"

active [3] proctype A() provided (c_expr { now.tokens > 0 })
{
	byte x;
	c_code { now.tokens--; };
	x++;
	c_code { now.tokens += PA->x; }
}
