/* A trace of the events on channel q: sends alternate between two kinds.
   Expected: holds. */

mtype = { tick, tock }
chan q = [1] of { mtype, byte }

trace {
end:	do
	:: q!tick, _; q!tock, _
	od
}

active proctype s()
{
	byte i;
	do
	:: i < 2 -> q!tick, i; q!tock, i; i++
	:: else -> break
	od
}

active proctype r()
{
	byte v;
end:	do
	:: q?_, v
	od
}
