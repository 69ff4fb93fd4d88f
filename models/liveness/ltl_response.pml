// Every request is answered: only if the scheduler is fair to the server.
bool request, reply;

ltl response { [] (request -> <> reply) }
ltl no_spontaneous_reply { [] (reply -> request) }

active proctype Client() {
  do
  :: !request && !reply -> request = true
  :: request && reply -> request = false; reply = false
  od
}

active proctype Server() {
  do
  :: request && !reply -> reply = true
  od
}

active proctype Idler() {
  bit b;
  do
  :: b = 1 - b
  od
}
