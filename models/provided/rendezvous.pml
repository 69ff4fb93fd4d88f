/* A receiver whose provided clause is false cannot complete a handshake, so the sender has to wait.
   Expected: holds; the second process takes the first message while the gate is closed. */

chan c = [0] of { byte }
bool gate
byte first

active proctype s() { c!1; gate = true; c!2 }

active proctype closed() provided (gate) { byte v; c?v; assert(v == 2) }

active proctype free() { byte v; c?v; first = v; assert(first == 1) }
