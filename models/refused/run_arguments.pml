/* Wrong: run with three arguments for two parameters. */

proctype p(byte a, b) { assert(a == b) }

init { run p(1, 1, 1) }
