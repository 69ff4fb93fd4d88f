/* Two locks taken in opposite order.
   Expected: invalid end state, each process holds one lock. */

bool lock[2]

inline take(i) { atomic { !lock[i] -> lock[i] = true } }
inline give(i) { lock[i] = false }

active proctype a() { take(0); take(1); give(1); give(0) }
active proctype b() { take(1); take(0); give(0); give(1) }
