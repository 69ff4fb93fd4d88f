/* A channel variable that was never set, used by one of two branches.
   Expected: reference to an uninitialised channel. */

chan good = [1] of { byte }
chan none
byte x

active proctype p()
{
	if
	:: good!1
	:: none!1
	fi;
	x = 1
}
