/* Producers and consumers share a ring in C; sizes come from the command line. */
#ifndef SIZE
#define SIZE 2
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef USERS
#define USERS 2
#endif

c_decl {
	typedef struct Ring { unsigned char slot[SIZE]; unsigned char head, count; } Ring;
	static int is_full(const Ring *r) { return r->count == SIZE; }
	static void put(Ring *r, unsigned char item)
	{
		r->slot[(r->head + r->count++) % SIZE] = item;
	}
	static unsigned char get(Ring *r)
	{
		unsigned char item = r->slot[r->head];
		/* What was taken must not tell states apart. */
		r->slot[r->head] = 0;
		r->head = (r->head + 1) % SIZE;
		r->count--;
		return item;
	}
}
c_state "Ring ring" "Global"

byte lost;

active [USERS] proctype Producer()
{
	byte next;
	do
	:: c_expr { now.ring.count < SIZE } ->
		c_code {
			/* Another one may have been faster. */
			if (!is_full(&now.ring)) {
				put(&now.ring, PProducer->next + 1);
				PProducer->next = (PProducer->next + 1) % ITEMS;
			}
		}
	od
}

active [USERS] proctype Consumer()
{
	byte item;
	do
	:: c_expr { now.ring.count > 0 } ->
		c_code {
			PConsumer->item = now.ring.count > 0 ? get(&now.ring) : 0;
			if (PConsumer->item > ITEMS)
				now.lost++;
		};
		assert(lost == 0);
		item = 0
	od
}
