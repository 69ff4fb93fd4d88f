/* A trace over receives and sends of one channel with constants and the wildcard; another channel is free.
   Expected: holds. */

mtype = { open, data, close }
chan q = [1] of { mtype, byte }
chan other = [1] of { byte }

trace {
end:	do
	:: q?open, _;
	   if
	   :: q?data, 1; q?data, 2
	   :: q?close, 0; goto end
	   fi;
	   q?close, 3
	od
}

active proctype s()
{
	q!open, 7;
	if
	:: q!data, 1; other!1; q!data, 2; q!close, 3
	:: q!close, 0
	fi
}

active proctype r()
{
	mtype m;
	byte v;
end:	do
	:: q?m, v
	:: other?v
	od
}
