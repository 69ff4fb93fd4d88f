/* Resting at end labels does not keep timeout closed.
   Expected: holds; the server is told to stop although it is in a valid end state. */

chan req = [1] of { byte }
byte served

active proctype server()
{
	byte r;
end:	do
	:: req?r ->
		if
		:: r == 0 -> break
		:: r > 0 -> served = served + r
		fi
	od
}

active proctype client()
{
	req!1;
	req!2;
	timeout -> assert(served == 3);
	req!0
}
