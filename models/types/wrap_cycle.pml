/* Counters that wrap around: 16 values of a 4-bit field next to a bit that flips.
   Expected: holds; 16 stored states for 16 steps, since both counters return to 0 together. */

unsigned nibble : 4
bit parity

active proctype clock()
{
	do
	:: d_step { nibble++; parity++; assert((nibble & 1) == parity) }
	od
}
