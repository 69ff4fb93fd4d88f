/* A condition in front of C code that always holds. */
byte a[4];
byte i;

active proctype A()
{
	do
	:: i < 4 -> c_code [now.i < 4 && now.a[now.i] == 0] { now.a[now.i] = now.i + 1; }; i++
	:: else -> break
	od;
	assert(a[3] == 4)
}
