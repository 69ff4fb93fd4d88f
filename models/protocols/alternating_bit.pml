/* The alternating bit protocol over channels that lose and duplicate; four values cross in order.
   Expected: holds; safe, though progress needs fair channels. */

mtype = { msg, ack }
chan s_r = [1] of { mtype, byte, bit }
chan r_s = [1] of { mtype, bit }

active proctype sender()
{
	byte data;
	bit b, r;
	do
	:: s_r!msg(data, b)
	:: r_s?ack(r) ->
		if
		:: r == b -> b = 1 - b; data = (data + 1) % 4
		:: r != b
		fi
	od
}

active proctype receiver()
{
	byte v, expect;
	bit want, got;
	do
	:: s_r?msg(v, got) ->
		if
		:: got == want ->
			assert(v == expect);
			expect = (expect + 1) % 4;
			want = 1 - want
		:: got != want
		fi;
		v = 0;
		r_s!ack(got)
	:: s_r?msg(v, got) -> v = 0      /* lost */
	:: r_s?ack(_)                    /* lost */
	od
}
