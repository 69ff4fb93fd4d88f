/* A structure as message: sent and received whole or field by field, mixed with other fields, also over a rendezvous.
   Expected: holds. */

typedef inner { byte a; bit b }
typedef msg { byte kind; inner in; short val }

chan q = [2] of { msg, byte }
chan r = [0] of { msg }

active proctype p()
{
	msg m, n;
	byte tail;
	m.kind = 3; m.in.a = 4; m.in.b = 1; m.val = -9;
	q!m, 77;
	q?n, tail;
	assert(n.kind == 3 && n.in.a == 4 && n.in.b == 1 && n.val == -9 && tail == 77);
	q!1, 2, 0, 3, 4;
	q?m.kind, n.in.a, _, n.val, 4;
	assert(m.kind == 1 && n.in.a == 2 && n.val == 3);
	r!n
}

active proctype s()
{
	msg k;
	r?k;
	assert(k.kind == 3 && k.in.a == 2 && k.val == 3)
}
