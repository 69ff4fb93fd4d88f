/* Two clients want a token. A client that asks may wait for ever: the server is free to
   serve the other one again and again, as long as nobody asks for fairness.

   Expected: acceptance cycle: served_0 fails, and exclusive holds.

     spinor check examples/starvation.pml                     served_0 fails
     spinor check --fairness weak examples/starvation.pml     still: waiting is not always being able
     spinor check --fairness strong examples/starvation.pml   all hold                             */

mtype = { idle, waiting, working };
mtype client[2] = idle;
bool token = true;

active [2] proctype Client()
{
	do
	:: client[_pid] = waiting;
	   atomic { token -> token = false; client[_pid] = working };
	   atomic { token = true; client[_pid] = idle }
	od
}

ltl exclusive { [] !(client[0] == working && client[1] == working) }
ltl served_0 { [] (client[0] == waiting -> <> (client[0] == working)) }
