/* Public-key handshake of two nonces with an intruder who may read what is sealed for him and forward the rest.
   Expected: assertion violated; B believes to talk to A although A talked to the intruder. */

mtype = { alice, bob, eve, na, nb, ne, nothing }
/* wire: receiver key, first item, second item */
chan wire = [0] of { mtype, mtype, mtype }
mtype partner_a = nothing, partner_b = nothing
bool done_a, done_b

active proctype a()
{
	mtype n;
	if
	:: partner_a = bob
	:: partner_a = eve
	fi;
	wire!partner_a, na, alice;
end:	wire?alice, na, n;
	wire!partner_a, n, nothing;
	done_a = true
}

active proctype b()
{
	mtype n, who;
end_first: wire?bob, n, who;
	partner_b = who;
	wire!who, n, nb;
end_last: wire?bob, nb, nothing;
	done_b = true;
	assert(partner_b != alice || partner_a == bob)
}

active proctype intruder()
{
	mtype k, x, y, stored_k, stored_x, stored_y;
	bool has_na, has_nb;
end:	do
	:: wire?k, x, y ->
		d_step {
			if
			:: k == eve ->
				if :: x == na || y == na -> has_na = true :: else fi;
				if :: x == nb || y == nb -> has_nb = true :: else fi
			:: else -> stored_k = k; stored_x = x; stored_y = y
			fi;
			k = 0; x = 0; y = 0
		}
	:: wire!stored_k, stored_x, stored_y
	:: wire!(has_na -> bob : 0), na, alice
	:: wire!(has_nb -> bob : 0), nb, nothing
	:: wire!bob, ne, eve
	:: wire!(has_na && has_nb -> alice : 0), na, nb
	od
}
