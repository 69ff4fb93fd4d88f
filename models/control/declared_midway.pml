/* A declaration after the first statement is a step: it assigns the initial value, or 0, each time it is passed.
   Expected: holds; the loop body resets t on every round. */

byte rounds

active proctype p()
{
	byte before = 4;
	rounds = 1;
	byte after;
	byte set = before + 1;
	assert(after == 0 && set == 5);
	do
	:: rounds < 3 ->
		byte t;
		byte u = rounds;
		assert(t == 0 && u == rounds);
		t = 7;
		rounds++
	:: else -> break
	od;
	{
		byte inner = 2;
		int arr[2];
		inner++;
		arr[1] = inner;
		assert(inner == 3 && arr[0] == 0)
	}
}
