/* A send with fewer terms than the channel has fields.
   Expected: too few parameters in send. */

chan q = [1] of { byte, byte }
byte x

active proctype p() { x = 1; q!x; x = 2 }
