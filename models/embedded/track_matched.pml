/* Memory of C code that counts as part of the state. */
c_decl {
	int board[4];
	int used;
}
c_track "board" "sizeof(board)"
c_track "&used" "sizeof(int)" "Matched"

byte sum;

active [2] proctype Player()
{
	byte n;
	do
	:: c_expr { used < 4 } ->
		c_code { if (used < 4) board[used++] = PPlayer->_pid + 1; };
		n++
	:: c_expr { used == 4 } -> break
	od;
	assert(n <= 4);
	c_code { int i; now.sum = 0; for (i = 0; i < 4; i++) now.sum += board[i]; };
	assert(sum >= 4 && sum <= 8)
}
