/* Two relays with holding contacts are switched by hand. Expected: assertion violated, both can be
   pulled at once although each should keep the other one off. */

bool button[2], coil[2], hold[2], steady

active proctype hand()
{
	do
	:: button[0] = !button[0]
	:: button[1] = !button[1]
	od
}

active proctype circuit()
{
	do
	:: coil[0] != ((button[0] || hold[0]) && !hold[1]) -> coil[0] = !coil[0]
	:: coil[1] != ((button[1] || hold[1]) && !hold[0]) -> coil[1] = !coil[1]
	:: hold[0] != coil[0] -> hold[0] = coil[0]
	:: hold[1] != coil[1] -> hold[1] = coil[1]
	:: assert(!(hold[0] && hold[1]))
	od
}
