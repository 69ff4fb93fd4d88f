/* Wrong: no process is ever started. */

byte x

proctype p() { x = 1 }
