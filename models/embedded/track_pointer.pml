/* What is tracked may be reached through a pointer, which is null at first. */
c_decl {
	int cells[3];
	int *place;
}
c_track "place" "3 * sizeof(int)"

active [2] proctype A()
{
	c_code { place = cells; };
	c_code { place[PA->_pid]++; };
	c_code { place[2] += place[PA->_pid]; }
}
