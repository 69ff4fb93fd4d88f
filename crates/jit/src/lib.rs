//! Native code: a program compiled to machine code in this process.
//!
//! `compile` turns the process automata into step functions (see `abi`); the driver
//! calls them and is a [`TransitionSystem`](spinor_ts::TransitionSystem) with the same
//! events in the same order as the interpreter's.

pub mod abi;
