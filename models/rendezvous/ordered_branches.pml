/* A sender in a choice with two rendezvous channels and a buffered one, against receivers that come and go.
   Expected: holds. */

chan a = [0] of { byte }
chan b = [0] of { byte }
chan c = [1] of { byte }
byte via_a, via_b, via_c

active proctype s()
{
	byte n;
	do
	:: n < 2 ->
		if
		:: a!n -> via_a++
		:: b!n -> via_b++
		:: c!n -> via_c++
		fi;
		n++
	:: n == 2 -> break
	od;
	assert(via_a + via_b + via_c == 2)
}

active proctype r()
{
	byte v;
end:	do
	:: a?v
	:: b?v -> skip
	:: c?v -> v = 0
	od
}
