/* c_expr wherever an expression can stand. */
byte a[4];
chan q = [2] of { byte, byte };
byte x, y;

proctype P(byte n)
{
	assert(n == 7);
	x = c_expr { PP->n + 1 }
}

init {
	a[c_expr { 1 + 1 }] = 5;
	x = 2 * c_expr { now.a[2] } + 1;
	assert(x == 11 && c_expr { now.x == 11 });
	q!c_expr { now.x }, c_expr { 3 };
	q?eval(c_expr { 11 }), y;
	run P(c_expr { now.y + 4 });
	(x == 8);
	if
	:: !c_expr { now.x == 8 } -> assert(false)
	:: c_expr { now.x == 8 } && (y == 3 || c_expr { 0 }) -> y = (c_expr { now.x } > 7 -> 1 : 2)
	fi;
	assert(y == 1);
	{ do :: y++ :: y > 5 -> y = 0 od } unless { c_expr { now.y == 3 } }
}
