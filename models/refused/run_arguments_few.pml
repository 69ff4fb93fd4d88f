/* Wrong: run with one argument for two parameters. */

proctype p(byte a, b) { assert(a == b) }

init { run p(1) }
