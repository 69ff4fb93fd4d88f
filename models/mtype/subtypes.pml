/* Named subtypes have their own numbering; they serve as variables, arrays, parameters and message fields.
   Expected: holds. */

mtype = { plain }
mtype:fruit = { apple, pear, fig }
mtype:car = { sedan, van }

chan q = [1] of { mtype:fruit, mtype:car }
mtype:fruit basket[2] = pear

proctype eat(mtype:fruit f) { assert(f == fig) }

init {
	mtype:car c = van;
	mtype:fruit f;
	assert(fig == 1 && pear == 2 && apple == 3 && van == 1 && sedan == 2 && plain == 1);
	q!apple, c;
	q?f, c;
	basket[1] = f;
	assert(basket[0] == pear && basket[1] == apple && c == van);
	run eat(fig)
}
