/* Received values go to array elements, structure members and locals, with eval of array elements between them.
   Expected: holds. */

typedef rec { byte a; byte b[2] }
chan q = [2] of { byte, byte, byte }
rec r
byte key[2] = { 4, 5 }
byte i = 1

active proctype p()
{
	q!4, 10, 1;
	q!5, 20, 0;
	q??eval(key[i]), r.a, r.b[i];
	assert(r.a == 20 && r.b[1] == 0 && r.b[0] == 0);
	q?eval(key[i - 1]), r.b[0], i;
	assert(r.b[0] == 10 && i == 1 && len(q) == 0)
}
