// The alternating bit protocol over a channel that may lose: a message gets through only
// if the receiver may move whenever it can now and then.
mtype = { data, ack };
chan there = [1] of { mtype, bit };
chan back = [1] of { mtype, bit };
bit expected_bit;

ltl delivered { <> (expected_bit == 1) }
ltl alternates { [] <> (expected_bit == 0) }
ltl luck { ([] <> (Receiver@got)) -> <> (expected_bit == 1) }

active proctype Sender() {
  bit b, r;
  do
  :: there!data, b
  :: there?data, _
  :: back?ack, r -> b = 1 - r
  od
}

active proctype Receiver() {
  bit r;
  do
  :: there?data, r;
got:
     if
     :: r == expected_bit -> expected_bit = 1 - expected_bit
     :: else
     fi;
     back!ack, r
  od
}
