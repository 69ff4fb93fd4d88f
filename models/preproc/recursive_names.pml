/* A macro does not expand inside itself, names in strings are left alone, and a function-like macro without its
   parentheses is an ordinary name.  Expected: holds. */

#define total (total + 1)
#define inc(v) v = v + 1
#define f g
#define g f

byte n
byte f = 4
byte g = 5

active proctype p()
{
	byte inc = 2;         // a plain variable, not the macro
	inc(n);
	printf("total inc(n) f\n");
	inc(inc);
	assert(n == 1 && inc == 3 && f == 4 && g == 5)
}
