/* for over an array gives the index, also for local arrays and arrays of structures; break keeps the index.
   Expected: holds. */

typedef rec { byte v[3] }
byte a[4] = { 4, 3, 2, 1 }
rec r[3]

active proctype p()
{
	byte i, sum;
	short b[2];
	for (i in a) { sum = sum + a[i] }
	assert(i == 4 && sum == 10);
	for (i in r) { r[i].v[i] = i + 1 }
	assert(r[2].v[2] == 3 && r[2].v[1] == 0 && i == 3);
	for (i in b) {
		if
		:: i == 1 -> break
		:: else -> b[i] = -1
		fi
	}
	assert(i == 1 && b[0] == -1)
}
