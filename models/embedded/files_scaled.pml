/* Clients of a file table that C code keeps in tracked memory; sizes come from the command line. */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef SPACE
#define SPACE 2
#endif

c_decl {
	enum { NAMES = 3, BLOCKS = SPACE };
	struct file { unsigned char used, opens, blocks; } table[NAMES];
	unsigned char free_blocks = BLOCKS;

	static int open_file(int name)
	{
		table[name].used = 1;
		return ++table[name].opens;
	}
	static int extend_file(int name)
	{
		if (free_blocks == 0) return 0;
		free_blocks--;
		table[name].blocks++;
		return 1;
	}
	static void close_file(int name)
	{
		table[name].opens--;
	}
	static int unlink_file(int name)
	{
		if (!table[name].used || table[name].opens) return 0;
		free_blocks += table[name].blocks;
		table[name].used = table[name].blocks = 0;
		return 1;
	}
}
c_track "table" "sizeof(table)" "Matched"
c_track "&free_blocks" "sizeof(free_blocks)" "Matched"

active [CLIENTS] proctype Client()
{
	byte name;
	do
	:: select (name : 0 .. 2);
		if
		:: c_code { open_file(PClient->name); };
			if
			:: c_code { extend_file(PClient->name); }
			:: true
			fi;
			c_code { close_file(PClient->name); }
		:: c_code { unlink_file(PClient->name); }
		fi;
		assert(c_expr { table[0].blocks + table[1].blocks + table[2].blocks + free_blocks == BLOCKS })
	od
}
