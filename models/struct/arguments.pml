/* A structure as an argument of run is copied member by member; changes stay in the copy.
   Expected: holds. */

typedef job { byte id; short cost; mtype state }
mtype = { fresh, done }
byte finished

proctype worker(job j; byte extra)
{
	assert(j.state == fresh && j.cost == -j.id);
	j.state = done;
	j.id = j.id + extra;
	finished = finished + j.id
}

init {
	job j;
	j.state = fresh;
	atomic {
		j.id = 1; j.cost = -1; run worker(j, 10);
		j.id = 2; j.cost = -2; run worker(j, 20)
	};
	_nr_pr == 1;
	assert(finished == 33 && j.id == 2 && j.state == fresh)
}
