/* Array initialisers: one value for all, a list, and a short list whose last value repeats.
   Expected: every assertion holds. */

#define SIZE 4

byte all[SIZE] = 9
byte list[3] = { 3, 1, 2 }
int  brief[SIZE * 2 - 3] = { 1, 5 }
short none[2]

active proctype p()
{
	byte local_list[3] = { 7, 8 };
	byte i;
	for (i : 0 .. 3) {
		assert(all[i] == 9)
	}
	assert(list[0] == 3 && list[1] == 1 && list[2] == 2)
	assert(brief[0] == 1 && brief[1] == 5 && brief[2] == 5 && brief[4] == 5)
	assert(none[0] == 0 && none[1] == 0)
	assert(local_list[0] == 7 && local_list[1] == 8 && local_list[2] == 8)
}
