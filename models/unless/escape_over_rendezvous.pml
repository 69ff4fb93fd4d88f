/* The main part offers a rendezvous; when the escape is open as well, the offer is withdrawn, but the partner's
   offer to this process is refused only where the escape guard holds.  Expected: holds. */

chan c = [0] of { byte }
byte got
bool quit

active proctype p()
{
	byte v;
	{ c?v; got = v; c?v; got = got + v } unless { quit };
	v = 0
}

active proctype q()
{
	if
	:: c!1
	:: quit
	fi;
	if
	:: c!2
	:: quit
	fi
}

active proctype r() { skip; quit = true }
