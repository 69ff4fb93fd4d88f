//! Partial order reduction: of the moves of a state, only those of some processes.
//!
//! A set of processes is enough if nothing that the others can ever do, without one of these
//! moving first, touches what these are about to do: the moves of the set can then be
//! made first, and what is found is the same. `Reduced` looks for a smallest such set in every
//! state. It asks the engine for all moves and leaves out those of the other processes.
//!
//! - `access`: what a location reads and writes, and when two such accesses conflict.
//! - `stable`: variables that never change. Their values are put in before accesses are computed,
//!   so `flag[_pid]` is one element, and a channel given as a parameter is one channel.
//! - `instance`: accesses of all locations of a process, and of all that follows each of them.
//! - `sticky`: locations that every loop of a process passes. A process that stands at one
//!   does not move alone, so no cycle of states is without one whose moves are all there: nothing
//!   is put off for ever. This needs no help from the search and holds for all of them. A search
//!   level by level knows better which moves were put off: for it moves are not
//!   dropped but put behind those that may be [enough](spinor_ts::Expansion::enough).
//! - `sequence`: atomic sequences, and where they stop; `partners`: who becomes ready for a rendezvous.
//! - `promised`: what the guard of an atomic sequence says of channels in it; `watch`: trace
//!   declarations; `anonymous`: programs in which it does not matter who starts or ends when.
//! - `select`: the choice; `choices`: those made before; `classes`: positions that are alike.
//! - `stations`: where processes stand, as numbers; `memos`: choices made from these.
//! - `pass`: states with one way on, which need not be stored.
//!
//! Invariants
//! - What is left out depends on the state alone: an event has the same number every time.
//! - All deadlocks, failed assertions and run-time errors that can be reached can be reached in
//!   what is left; so can all runs that a formula without `X` tells apart, if its
//!   propositions are [watched](Visible).

mod access;
mod anonymous;
mod bits;
mod choices;
mod classes;
mod instance;
mod known;
mod memos;
mod partners;
mod pass;
mod promised;
mod reduced;
mod seats;
mod select;
mod sequence;
mod stations;
mod sticky;
mod walk;
mod watch;

pub use reduced::{Reduced, Visible, obstacle};
