/* Message fields truncate like variables, except that a single bit field is a whole byte.
   Expected: holds in the verifier. */

mtype = { m1, m2 }
chan lone = [1] of { bit }
chan mix = [1] of { bit, byte, short, int, mtype, bool }
byte b
int t, y, s, i, m, o

active proctype p()
{
	lone!3;
	lone?b;
	assert(b == 3);
	mix!3, 257, 65537, -1, m2, 2;
	mix?t, y, s, i, m, o;
	assert(t == 1 && y == 1 && s == 1 && i == -1 && m == m2 && o == 0)
}
