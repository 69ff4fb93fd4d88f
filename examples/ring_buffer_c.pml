/* A ring buffer in C, as a driver has it, between one writer and one reader.

   The C code is the real thing: it could be included from the driver's own header with
   \#include "ring.h". Promela says in which order its parts run and what else may happen
   in between. Each c_code is one step.

   The buffer is part of the state (c_state), so the checker can go back to any state.

   Expected: no errors. Run it with  spinor check --allow-c.
   Try this: let the writer publish before it stores, and messages are lost. */

c_decl {
	\#define SLOTS 4

	typedef struct Ring {
		unsigned char slot[SLOTS];
		unsigned char head;     /* number of messages written, modulo 2 * SLOTS */
		unsigned char tail;     /* number of messages read, modulo 2 * SLOTS */
	} Ring;

	\#define USED(ring) (((ring).head + 2 * SLOTS - (ring).tail) % (2 * SLOTS))

	static void ring_store(Ring *ring, unsigned char message)
	{
		ring->slot[ring->head % SLOTS] = message;
	}

	static void ring_publish(Ring *ring)
	{
		ring->head = (ring->head + 1) % (2 * SLOTS);
	}

	static unsigned char ring_load(const Ring *ring)
	{
		return ring->slot[ring->tail % SLOTS];
	}

	static void ring_release(Ring *ring)
	{
		ring->tail = (ring->tail + 1) % (2 * SLOTS);
	}
}

c_state "Ring ring" "Global"

active proctype writer()
{
	byte next;                                  // the messages are 0, 1, 2, …

	do
	:: c_expr { USED(now.ring) < SLOTS };       // wait until there is room
	   c_code { ring_store(&now.ring, Pwriter->next); };
	   c_code { ring_publish(&now.ring); };
	   next = (next + 1) % 10
	od
}

active proctype reader()
{
	byte message, expected;

	do
	:: c_expr { USED(now.ring) > 0 };           // wait for a message
	   c_code { Preader->message = ring_load(&now.ring); };
	   c_code { ring_release(&now.ring); };
	   assert(message == expected);             // none is lost, none comes twice
	   expected = (expected + 1) % 10
	od
}
