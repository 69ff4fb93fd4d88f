// Phases in order: idle until busy until done, then done for ever.
mtype = { idle, busy, done };
mtype phase = idle;

ltl phases { (phase == idle) U ((phase == busy) U ([] (phase == done))) }
ltl swapped { (phase == busy) U ((phase == idle) U ([] (phase == done))) }

active proctype Job() {
  phase = busy;
  phase = done
}
