/* A Chandy-Lamport snapshot of two accounts that pay each other; markers travel with the payments.
   Expected: holds; recorded balances and payments in transit add up. */

#define TOTAL 4
mtype = { pay, marker }
chan ch[2] = [3] of { mtype, byte }
byte balance[2] = 2
byte saved[2], transit[2]
bool recorded[2], closed[2]

active [2] proctype account()
{
	byte n;
	bool more = true;
end:	do
	:: balance[_pid] > 0 && len(ch[1 - _pid]) < 2 && more ->
		d_step { balance[_pid]--; ch[1 - _pid]!pay(1) };
		if
		:: more = false
		:: skip
		fi
	:: ch[_pid]?pay(n) ->
		d_step {
			balance[_pid] = balance[_pid] + n;
			if
			:: recorded[_pid] && !closed[_pid] -> transit[_pid] = transit[_pid] + n
			:: else
			fi;
			n = 0
		}
	:: atomic { ch[_pid]?marker(_) ->
		closed[_pid] = true;
		if
		:: !recorded[_pid] -> recorded[_pid] = true; saved[_pid] = balance[_pid]; ch[1 - _pid]!marker(0)
		:: recorded[_pid]
		fi }
	:: atomic { _pid == 0 && !recorded[0] && nfull(ch[1]) ->
		recorded[0] = true; saved[0] = balance[0]; ch[1]!marker(0) }
	:: atomic { closed[0] && closed[1] -> assert(saved[0] + saved[1] + transit[0] + transit[1] == TOTAL) }; break
	od
}
