/* Protocol steps as inlines with channel and message parameters.
   Expected: holds. */

mtype = { syn, ack }
chan ab = [0] of { mtype, byte }
chan ba = [0] of { mtype, byte }

inline call(out, in, n) { out!syn(n); in?ack(eval(n)) }
inline serve(in, out, v) { in?syn(v); out!ack(v) }

active proctype a() { byte i; for (i : 1 .. 2) { call(ab, ba, i) } }
active proctype b() { byte v; serve(ab, ba, v); serve(ab, ba, v); assert(v == 2) }
