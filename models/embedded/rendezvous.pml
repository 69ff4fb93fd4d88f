/* C between the halves of a protocol without buffers; who waits is seen from C. */
chan c = [0] of { byte };
c_state "unsigned sent" "Global"
c_state "unsigned got" "Global"
byte x;

active proctype Sender()
{
	do
	:: c_expr { now.sent < 4 } -> c!c_expr { now.sent }; c_code { now.sent++; }
	:: c_expr { now.sent == 4 } -> break
	od
}

active [2] proctype Receiver()
{
	byte m;
	do
	:: c?m -> c_code { now.got |= 1 << PReceiver->m; now.x = PReceiver->_p > 0; }
	:: timeout -> break
	od;
	assert(x && c_expr { now.got == 15 })
}
