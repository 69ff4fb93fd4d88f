// Lengths and polls of channels as propositions: what is sent arrives.
chan q = [2] of { byte };

ltl drains { [] (len(q) == 2 -> <> (len(q) == 0)) }
ltl never_full { [] (len(q) < 2) }
ltl len_bound { [] (len(q) <= 2) }
ltl holds_one { <> (q?[1]) }

active proctype Sender() {
  do
  :: q!1
  od
}

active proctype Receiver() {
  do
  :: q?_
  od
}
