/* Wrong: an inline that calls itself. */

byte x

inline down(v) { if :: v > 0 -> v--; down(v) :: else fi }

active proctype p() { x = 3; down(x) }
