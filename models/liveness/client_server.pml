// Two clients and a server that hands out one resource.
mtype = { REQ, ACK };
chan ask[3] = [1] of { mtype };
chan answer[3] = [1] of { mtype };

ltl mutex { []!(client[1]@C && client[2]@C) }
ltl first_served { [] (client[1]@waits -> <> client[1]@C) }
ltl some_served { <> (client[1]@C || client[2]@C) }

proctype client(byte id) {
  do
  :: ask[id]!REQ;
waits:
     answer[id]?ACK;
C:
     ask[id]!REQ
  od
}

proctype server() {
  byte given;
  do
  :: given == 0 && nempty(ask[1]) -> ask[1]?REQ; given = 1; answer[1]!ACK
  :: given == 0 && nempty(ask[2]) -> ask[2]?REQ; given = 2; answer[2]!ACK
  :: given == 1 && nempty(ask[1]) -> ask[1]?REQ; given = 0
  :: given == 2 && nempty(ask[2]) -> ask[2]?REQ; given = 0
  od
}

init {
  atomic {
    run client(1);
    run client(2);
    run server()
  }
}
