/* Controllers with local C state move water between tanks of the model; sizes come from the command line. */
#ifndef TANKS
#define TANKS 2
#endif
#ifndef LEVEL
#define LEVEL 2
#endif

c_decl {
	struct Valve { short opened, closed; signed char trend; };
	static short limited(short value, short least, short most)
	{
		return value < least ? least : value > most ? most : value;
	}
}
c_state "struct Valve valve" "Local Controller"

byte level[TANKS];
byte reserve = LEVEL;

active [TANKS] proctype Controller()
{
	do
	:: c_expr { now.level[PController->_pid] < LEVEL && now.reserve > 0 } ->
		c_code {
			struct Valve *v = &PController->valve;
			if (now.reserve > 0) {
				now.reserve--;
				now.level[PController->_pid]++;
			}
			v->opened = limited(v->opened + 1, 0, LEVEL);
			v->trend = 1;
		}
	:: c_expr { now.level[PController->_pid] > 0 } ->
		c_code {
			struct Valve *v = &PController->valve;
			now.level[PController->_pid]--;
			now.reserve++;
			v->closed = limited(v->closed + v->opened, 0, 2 * LEVEL);
			v->trend = -1;
		};
		assert(c_expr { PController->valve.closed <= 2 * LEVEL })
	od
}
