/* A line break between the closing brace and unless does not end the statement.
   Expected: holds. */

byte x
bool stop

active proctype p()
{
	{
		x = 1
		x = 2
	}
	unless
	{
		stop
		x = 9
	}
	assert(x == 2 || x == 9 || x == 1)
}

active proctype q() { stop = true }
