// SPIN: merging makes `g = true; x = 1; x = 2` one step, so the first process has never
// moved after the second one has seen `g` (`-o3` finds the error).
bool g, h;

active proctype First()
{
	byte x;
	atomic { g = true; x = 1 };
	x = 2;
end:	false
}

active proctype Second()
{
	g;
	h = true;
end:	false
}

active proctype Observer()
{
end:	atomic { h && _last == 0; assert(false) }
}
