/* Four stations share one token over rendezvous links; only its holder may use the medium.
   Expected: holds. */

#define N 4
chan link[N] = [0] of { byte }
byte users

active [N] proctype station()
{
	byte t;
	bool have = (_pid == 0);
	do
	:: have ->
		if
		:: users++;
		   assert(users == 1);
		   users--
		:: skip
		fi;
		link[(_pid + 1) % N]!1;
		have = false
	:: !have -> link[_pid]?t; have = true; t = 0
	od
}
