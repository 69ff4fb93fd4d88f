/* Messages that agree in all fields but the last keep ascending order in the last one as well; a FIFO send goes last
   even when it is smaller.  Expected: holds. */

chan q = [4] of { byte, byte }
byte k, v

active proctype p()
{
	q!!5, 2;
	q!!5, 1;
	q!1, 7;
	q!!3, 3;       /* before the first larger one, which is 5,1 */
	q?k, v; assert(k == 3 && v == 3);
	q?k, v; assert(k == 5 && v == 1);
	q?k, v; assert(k == 5 && v == 2);
	q?k, v; assert(k == 1 && v == 7)
}
