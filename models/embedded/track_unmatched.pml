/* Memory that is restored, but tells no states apart. */
c_decl { int log[8]; int entries; }
c_track "log" "sizeof(log)" "UnMatched"
c_track "&entries" "sizeof(entries)" "UnMatched"

byte x;

active [2] proctype A()
{
	byte i;
	do
	:: i < 2 -> c_code { log[entries++ & 7] = PA->_pid; now.x++; }; i++
	:: else -> break
	od;
	(x == 4)
}
