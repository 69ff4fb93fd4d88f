/* pid is a byte, bool a bit; true, false and skip are plain numbers and can be used as such.
   Expected: holds. */

pid who = 300
bool yes = true, no = false
byte n

active proctype p()
{
	assert(who == 44);
	n = true + true + false;
	assert(n == 2);
	yes = !yes;
	no = no - 1;
	assert(yes == 0 && no == 1);
	n = (yes == no);
	assert(n == 0);
	true; skip; 1
}
