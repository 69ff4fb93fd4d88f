/* A rendezvous send inside a d_step.
   Expected: an error when it is reached. */

chan c = [0] of { byte }
byte x

active proctype p() { d_step { x = 1; c!1 } }
active proctype q() { c?x }
