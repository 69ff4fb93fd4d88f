/* Wrong: two values sent to a channel of one field. */

chan q = [1] of { byte }
byte x

active proctype p() { x = 1; q!x, 2; x = 2 }
