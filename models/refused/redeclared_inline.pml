/* Wrong: the inline's local v meets the caller's v. */

byte sum

inline bump() { byte v = 2; sum = sum + v }

active proctype p()
{
	byte v = 4;
	bump()
}
