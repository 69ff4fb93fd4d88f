/* A local channel lives as long as the process record: the owner has ended, but a younger process keeps it in
   place, so its channel can still be used.  Expected: holds. */

chan shared

proctype owner(byte n)
{
	chan mine = [2] of { byte };
	shared = mine;
	mine!n
}

proctype user()
{
	byte v;
	shared != 0;
	shared?v;
	assert(v == 4);
	shared!v + 1;
	shared?v;
	assert(v == 5)
}

init {
	atomic { run owner(4); run user() }
}
