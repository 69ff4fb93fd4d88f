// Both processes wait for timeout; when it comes, only the one of higher
// priority may move, because the other sees it enabled.
active proctype Low()
{
	(timeout)
}

active proctype High()
{
	set_priority(_pid, 3);
	(timeout)
}
