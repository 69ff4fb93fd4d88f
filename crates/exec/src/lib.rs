//! The reference semantics: an interpreter of programs as a transition system.
//!
//! Simple beats fast here: replay, simulation and every test take this crate
//! as the judge. Read [`Exec::expand`](spinor_ts::TransitionSystem::expand)
//! first (`expand`), then `step` (when a statement is executable and what it
//! does), `eval` (expressions) and `shape` (where things lie in a state).
//!
//! What a search sees are whole moves: an atomic sequence up to its end or the
//! point where it blocks, both halves of a rendezvous, a `d_step`, the step of
//! a claim together with the step of the system. [`Exec::replay`] takes a move
//! apart again.

mod channel;
mod claim;
mod dstep;
mod eval;
mod event;
mod exec;
mod expand;
mod fault;
mod layout;
mod process;
mod replay;
mod shape;
mod step;

pub use exec::{Exec, Options};
pub use fault::{Fault, Site};
pub use layout::layout_of;
pub use replay::{Actor, ReplayedStep, StepKind};
pub use shape::{Channel, Frame, Shape};
