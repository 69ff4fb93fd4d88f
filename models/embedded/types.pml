/* All types of Promela seen from C: values are cut to size when they are stored. */
mtype = { red, green, blue };
mtype:fruit = { apple, pear };
typedef Inner { bit flag; byte list[2]; unsigned small : 3 }
typedef Outer { Inner in[2]; int n; short s; bool b }

bit b1;
bool b2;
byte by;
pid who;
short sh;
int in;
unsigned un : 5;
mtype colour = green;
mtype:fruit food = pear;
bit bits[3];
short shorts[3];
int ints[2];
Outer rec[2];
chan q = [1] of { byte };
hidden int secret;

active [2] proctype A()
{
	bool flag;
	Outer mine;
	short most = 32767;
	c_code {
		now.b1 = 3; now.b2 = 2; now.by = 300; now.who = PA->_pid + 256; now.sh = 40000;
		now.in = 2000000000; now.un = 35; now.bits[1] = 2; now.shorts[2] = -1; now.ints[1] = -5;
		now.rec[1].in[1].list[1] = 9; now.rec[1].in[1].flag = 1; now.rec[0].in[0].small = 12;
		now.rec[1].n = -7; now.rec[1].s = -8; now.rec[1].b = 1;
		PA->flag = 1; PA->mine.in[0].list[0] = now.q; PA->most++;
		now.colour = now.food;
		secret = secret + 1;
	};
	assert(b1 == 1 && b2 == 0 && by == 44 && who < 2 && sh == -25536);
	assert(in == 2000000000 && un == 3 && bits[1] == 2 && shorts[2] == -1 && ints[1] == -5);
	assert(rec[1].in[1].list[1] == 9 && rec[1].in[1].flag && rec[0].in[0].small == 4);
	assert(rec[1].n == -7 && rec[1].s == -8 && rec[1].b);
	assert(flag && mine.in[0].list[0] == q && most == -32768)
}
