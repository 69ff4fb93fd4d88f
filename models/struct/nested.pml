/* Structures with arrays, nested structures and arrays of structures; initial values inside the type.
   Expected: holds. */

typedef point { byte x = 1; byte y = 2 }
typedef shape { point corner[2]; bit filled; short area = -4; unsigned tag : 3 }
typedef row { byte col[3] }

shape s, many[2]
row grid[2]

active proctype p()
{
	shape mine;
	byte i, j;
	assert(s.corner[1].x == 1 && s.corner[0].y == 2 && s.area == -4);
	assert(mine.corner[0].x == 1 && many[1].area == -4);
	mine.corner[1].y = 258;
	assert(mine.corner[1].y == 2);
	s.tag = 9;
	assert(s.tag == 1);
	s.filled = 2;
	assert(s.filled == 0);
	many[1].corner[s.tag].x = 7;
	assert(many[1].corner[1].x == 7 && many[0].corner[1].x == 1);
	for (i : 0 .. 1) {
		for (j : 0 .. 2) {
			grid[i].col[j] = 3 * i + j
		}
	}
	assert(grid[1].col[2] == 5 && grid[0].col[2] == 2)
}
