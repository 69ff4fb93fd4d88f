// A sender that only waits for the receiver: the handshake is a move of both.
chan q = [0] of { bit };
bit x, got;

ltl delivered { <> got }

active proctype Sender() {
  q!1
}

active proctype Receiver() {
  q?_;
  got = 1
}

active proctype Noise() {
  do
  :: x = 1 - x
  od
}
