/* A caller, a callee and a switch. Expected: the invariant that nobody talks to nobody is violated: the
   callee goes on hook while the switch connects. */

mtype = { offhook, onhook, dial, ring, connected, cleared }
chan to_switch[2] = [2] of { mtype }
chan to_phone[2] = [2] of { mtype }

active [2] proctype phone()
{
	byte me = _pid;
idle:	do
	:: to_switch[me]!offhook;
		do
		:: to_switch[me]!dial
		:: to_phone[me]?connected -> goto talking
		:: to_switch[me]!onhook; goto idle
		od
	:: to_phone[me]?ring ->
		if
		:: to_switch[me]!offhook; goto talking
		:: skip
		fi
	:: to_phone[me]?cleared
	od;
talking:
	do
	:: to_switch[me]!onhook; goto idle
	:: to_phone[me]?cleared; goto idle
	:: to_phone[me]?connected
	od
}

active proctype switch()
{
waiting:
	do
	:: to_switch[0]?offhook
	:: to_switch[0]?dial -> to_phone[1]!ring
	:: to_switch[0]?onhook
	:: to_switch[1]?offhook -> to_phone[0]!connected; goto connection
	:: to_switch[1]?onhook
	:: to_switch[1]?dial
	od;
connection:
	do
	:: to_switch[0]?onhook -> to_phone[1]!cleared; goto waiting
	:: to_switch[1]?onhook -> to_phone[0]!cleared; goto waiting
	:: to_switch[0]?offhook
	:: to_switch[1]?offhook
	:: to_switch[0]?dial
	:: to_switch[1]?dial
	od
}

never {
	do
	:: phone[0]@talking && phone[1]@idle && switch[2]@connection -> break
	:: true
	od
}
