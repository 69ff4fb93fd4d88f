/* Two processes take their own messages out of a shared mailbox by random receive with eval(_pid).
   Expected: holds; nobody gets a message addressed to another. */

chan mail = [3] of { byte, byte }
byte got[3]

active [2] proctype reader()
{
	byte v;
	mail??eval(_pid), v;
	got[_pid] = got[_pid] + v;
	mail??eval(_pid), v;
	got[_pid] = got[_pid] + v;
	assert(got[_pid] == 3 + 10 * _pid)
}

active proctype post()
{
	mail!1, 6;
	mail!0, 1;
	mail!1, 7;
	mail!0, 2
}
