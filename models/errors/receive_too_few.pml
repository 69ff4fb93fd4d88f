/* A receive that leaves out a field of the message.
   Expected: missing parameters in receive. */

chan q = [1] of { byte, byte }
byte x

active proctype p() { q!1, 2; q?x; x = 9 }
