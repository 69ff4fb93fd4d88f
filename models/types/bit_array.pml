/* A bit scalar keeps one bit, but the elements of a bit or bool array are whole bytes.
   Expected: every assertion holds in the verifier. */

bit  one
bit  many[3]
bool flags[2] = true

active proctype p()
{
	byte i = 1;
	one = 6;         assert(one == 0)
	many[0] = 6;     assert(many[0] == 6)
	many[i] = 255;   assert(many[1] == 255)
	many[i]++;       assert(many[1] == 0)
	assert(flags[0] == 1 && flags[1] == 1)
	flags[1] = flags[0] + flags[1];
	assert(flags[1] == 2)
	one = flags[1];  assert(one == 0)
}
