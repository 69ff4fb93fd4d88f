/* accept labels inside a process: the loop through accept can go on for ever.
   Expected: safe; a search for acceptance cycles finds one. */

byte x

active proctype p()
{
	do
	:: x < 2 -> x++
	:: x == 2 ->
accept_top:	x = 1
	:: x == 2 -> break
	od
}
