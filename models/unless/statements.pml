/* unless between single statements and inside a loop; the escape is only considered while the main statement is pending.
   Expected: holds. */

byte x, skipped
bool dead

active proctype p()
{
	do
	:: x < 2 ->
		x++ unless dead;
		if
		:: dead -> skipped++; break
		:: !dead
		fi
	:: x == 2 -> break
	od;
	{ skip; skip } unless { dead -> skipped = 5 }
	assert(x <= 2 && (skipped == 0 || dead))
}

active proctype q() { dead = true }
