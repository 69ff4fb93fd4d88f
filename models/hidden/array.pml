/* Hidden arrays and structures as temporary space inside a d_step: bubble sort of three values.
   Expected: holds. */

typedef pair { byte lo; byte hi }
hidden byte tmp
hidden pair pr
byte a[3]

active proctype sort()
{
	byte i;
	select (i : 0 .. 3); a[0] = i;
	select (i : 0 .. 3); a[1] = i;
	select (i : 0 .. 3); a[2] = i;
	i = 0;
	d_step {
		do
		:: a[0] > a[1] -> tmp = a[0]; a[0] = a[1]; a[1] = tmp
		:: a[1] > a[2] -> tmp = a[1]; a[1] = a[2]; a[2] = tmp
		:: else -> break
		od;
		pr.lo = a[0];
		pr.hi = a[2];
		assert(pr.lo <= pr.hi)
	};
	assert(a[0] <= a[1] && a[1] <= a[2])
}
