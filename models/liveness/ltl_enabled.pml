// enabled(): a process that can move for ever does not have to.
bit go;

ltl enabled_then_done { [] (enabled(0) -> <> !enabled(0)) }
ltl b_always { [] enabled(1) }

active proctype A() {
  go == 1
}

active proctype B() {
  do
  :: go = 1
  :: go = 0
  od
}
