// The receiver cannot move by itself, so nobody owes it the handshake.
chan q = [0] of { bit };
bit x, got;

ltl delivered { <> got }

active proctype Sender() {
  do
  :: x = 1 - x
  :: q!1
  od
}

active proctype Receiver() {
  q?_;
  got = 1
}
