/* A queue in C that forgets to look whether it is full: messages are lost. */
c_decl {
	\#define SIZE 2
	typedef struct Queue { unsigned char slots[SIZE]; int head, count; } Queue;
}
c_state "Queue queue" "Global"
byte sent, received;

active proctype Producer()
{
	do
	:: sent < 4 ->
		c_code {
			now.queue.slots[(now.queue.head + now.queue.count) % SIZE] = now.sent;
			now.queue.count++;
			now.sent++;
		}
	:: else -> break
	od
}

active proctype Consumer()
{
	byte message;
	do
	:: c_expr { now.queue.count > 0 } ->
		c_code {
			PConsumer->message = now.queue.slots[now.queue.head];
			now.queue.head = (now.queue.head + 1) % SIZE;
			now.queue.count--;
		};
		assert(message == received);
		received++
	:: received == 4 -> break
	od
}
