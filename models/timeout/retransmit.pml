/* A sender on a lossy channel repeats its message on timeout; the loss is limited so that the model ends.
   Expected: holds; got is reached on every path. */

chan wire = [1] of { byte }
chan ack = [1] of { bit }
byte losses
bool got

active proctype sender()
{
	wire!1;
	do
	:: ack?1 -> break
	:: timeout -> wire!1
	od;
	assert(got)
}

active proctype medium_and_receiver()
{
	end: do
	:: wire?1 -> got = true; ack!1; break
	:: losses < 2 && nempty(wire) -> wire?_; losses++
	od
}
