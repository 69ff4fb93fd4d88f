/* A never claim that waits for a request without answer; reaching its end would be a violation.
   Expected: the system is safe without the claim; with it, an acceptance cycle exists. */

bool req, ack

active proctype client()
{
	do
	:: !req && !ack -> req = true
	:: ack -> req = false; ack = false
	od
}

active proctype server()
{
	do
	:: req && !ack -> ack = true
	:: req && !ack -> skip; skip
	od
}

never {
	do
	:: req && !ack -> goto accept_wait
	:: true
	od;
accept_wait:
	do
	:: !ack
	od
}
