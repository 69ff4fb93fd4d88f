// Two clients and a server with mutual exclusion, as in the lecture on model checking.
/* definition of a constant MESSAGE */
mtype = { MESSAGE };

/* two arrays of channels of size 2,
each channel has a buffer size 1 */
chan request[2] = [1] of { mtype };
chan answer [2] = [1] of { mtype };

/* the client process type */
proctype client(byte id)
{
do :: true ->
  request[id-1] ! MESSAGE;
  W: answer[id-1] ? MESSAGE;
  C: skip; // the critical region
  request[id-1] ! MESSAGE
od;
}

/* the server process type */
proctype server()
{
  /* three variables of two bit each */
  unsigned given : 2 = 0;
  unsigned waiting : 2 = 0;
  unsigned sender : 2;

  do :: true ->

    /* receiving the message */
    R: if
      :: request[0] ? MESSAGE ->
        S1: sender = 1
      :: request[1] ? MESSAGE ->
        S2: sender = 2
    fi;

    /* answering the message */
    if
      :: sender == given ->
        if
          :: waiting == 0 ->
            given = 0
          :: else ->
            given = waiting;
            waiting = 0;
            answer[given-1] ! MESSAGE
          fi;
      :: given == 0 ->
        given = sender;
        answer[given-1] ! MESSAGE
      :: else
        waiting = sender
      fi;
    od;
}

/* the system of three processes */
init
{
  run client(1);
  run client(2);
  run server();
}

/* the mutual exclusion property */
ltl mutex { []!(client[1]@C && client[2]@C) }
ltl first_served { <> client[1]@C }
