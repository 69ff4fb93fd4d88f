/* A ring of N stations with a token. Whoever has it may take on a frame, put a
   frame on the wire, or do nothing, and passes it on. A family to measure growth:
   one more station multiplies the states by more than three, while the number of
   moves in a state stays the same. */

#ifndef N
#define N 3
#endif
#define QUEUE 2

byte token;  /* the station that has it */
byte sending;  /* stations on the wire */

active [N] proctype station()
{
	byte queued;

	do
	:: token == _pid ->
		if
		:: queued < QUEUE -> queued++
		:: queued > 0 ->
			sending++;
			assert(sending == 1);
			queued--;
			sending--
		:: skip
		fi;
		token = (token + 1) % N
	od
}
