/* Wrong: no such type as float. */

float x

active proctype p() { x = 1 }
