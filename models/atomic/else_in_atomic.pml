/* else after a blocked rendezvous send inside an atomic: the send is tried first, and only its failure opens else.
   Expected: holds; both outcomes appear depending on where the receiver is. */

chan c = [0] of { bit }
byte sent, missed

active proctype s()
{
	byte i;
	do
	:: i < 2 ->
		atomic {
			if
			:: c!1 -> sent++
			:: else -> missed++
			fi;
			i++
		}
	:: else -> break
	od;
	assert(sent + missed == 2 && sent < 2)
}

active proctype r()
{
	skip;
end:	c?1;
	skip
}
