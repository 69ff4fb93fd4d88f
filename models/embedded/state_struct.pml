/* A record of C, declared in c_decl, as one piece of the state. */
c_decl {
	typedef struct Point { int x; short y; char tag; double weight; } Point;
	typedef struct Path { Point at[3]; int length; } Path;
}
c_state "Path path" "Global"
c_state "Point last" "Local Walker"

active [2] proctype Walker()
{
	byte turn;
	do
	:: turn < 2 ->
		c_code {
			Point *p = &PWalker->last;
			p->x += 1 + PWalker->_pid;
			p->y -= 1;
			p->tag = 'a' + PWalker->turn;
			p->weight = p->x * 0.5;
			now.path.at[now.path.length % 3] = *p;
			now.path.length++;
		};
		turn++
	:: else -> break
	od;
	assert(c_expr { now.path.length <= 4 })
}
