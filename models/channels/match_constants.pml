/* A receive is executable only if the head matches all constants, mtype names and eval terms; a message that
   matches nobody blocks the queue.  Expected: invalid end state with one message left. */

mtype = { data, ack, nack }
chan q = [3] of { mtype, byte }
byte n = 1
byte seen

active proctype p()
{
	byte v;
	do
	:: q?ack(1) -> seen = seen * 10 + 1
	:: q?data(eval(n)) -> seen = seen * 10 + 2; n++
	:: q?data, 7 -> seen = seen * 10 + 3
	:: q?nack, v -> assert(v == 4); seen = seen * 10 + 4
	od
}

active proctype s()
{
	q!data(1); q!data, 2; q!ack(1);
	if
	:: q!nack(4)
	:: q!data(7)
	:: q!ack(2)
	fi
}
