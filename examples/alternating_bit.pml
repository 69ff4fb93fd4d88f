/* The alternating bit protocol: reliable transfer over a line that loses messages.

   The sender repeats each number until an acknowledgement with the same bit comes back; then it flips the bit
   and goes on. The receiver uses the bit to tell a new message from a repeated one.

   Expected: no errors; the receiver gets 0, 1, 2, 3, 0, 1 ... with nothing missing and nothing twice.
   Try this: let the receiver accept every message without comparing the bit. */

mtype = { data, ack }

chan to_receiver = [1] of { mtype, byte, bit }
chan to_sender   = [1] of { mtype, bit }

active proctype sender()
{
	byte number;
	bit  b, answer;

	do
	:: to_receiver!data(number, b);
	   if
	   :: to_sender?ack(answer) ->
		if
		:: answer == b -> number = (number + 1) % 4; b = 1 - b
		:: answer != b                       // an old one: send again
		fi
	   :: timeout                                // nothing moves any more: it was lost, send again
	   fi
	od
}

active proctype receiver()
{
	byte number, expected;
	bit  b, want;

	do
	:: to_receiver?data(number, b) ->
		if
		:: b == want ->
			assert(number == expected);  // the property
			expected = (expected + 1) % 4;
			want = 1 - want
		:: b != want                         // a repetition
		fi;
		to_sender!ack(b)
	od
}

/* The unreliable line: it may take any message away. */
active proctype thief()
{
	do
	:: to_receiver?data(_, _)
	:: to_sender?ack(_)
	od
}
