/* A rendezvous send inside an atomic hands control to the receiver, which runs on alone if its receive is
   inside an atomic too; the sender is exclusive again later.  Expected: holds; log shows the order. */

chan c = [0] of { byte }
byte log

active proctype sender()
{
	atomic {
		log = 1;
		c!5;
		log = log * 10 + 3;
		log = log * 2
	}
}

active proctype receiver()
{
	byte v;
	atomic {
		c?v;
		assert(log == 1);
		log = 2;
		log = 4
	}
}

active proctype other()
{
	assert(log != 1 && log != 2)
}
