//! The reference semantics: an interpreter of programs as a transition system.
//!
//! Replay, simulation and every test take this crate as the judge, so simple
//! beats clever here. Read [`Exec::expand`](spinor_ts::TransitionSystem::expand)
//! first (`expand`, `walk`, `sweep`), then `step` and `message` (when a statement is
//! executable and what it does), `eval` (expressions) and `shape` (where things lie
//! in a state).
//!
//! What is needed for every state is prepared once: `prepared` has the statements and
//! the transitions of each location, `quick` the expressions, `plan` simple statements,
//! `lineup` what follows from the list of processes. Quick expressions and plans know only
//! the usual case; whatever is unusual, errors of the model first of all, is left to
//! `eval` and `step`.
//!
//! What a search sees are whole moves: an atomic sequence up to its end or the
//! point where it blocks, both halves of a rendezvous, a `d_step`, the step of
//! a claim together with the step of the system. [`Exec::replay`] takes a move
//! apart again.

mod cells;
mod channel;
mod claim;
mod constants;
mod dstep;
mod embedded;
mod enabled;
mod eval;
mod event;
mod exec;
mod expand;
mod fault;
mod footprint;
mod frame;
mod layout;
mod lineup;
mod look;
mod message;
mod movers;
mod moves;
mod plan;
mod prepared;
mod process;
mod proposition;
mod quick;
mod rendezvous;
mod replay;
mod shape;
mod starts;
mod step;
mod sweep;
mod walk;

pub use cells::cells_of;
pub use eval::arithmetic;
pub use exec::{Exec, Options};
pub use fault::{Fault, Site};
pub use layout::layout_of;
pub use look::{ChannelVar, Look, Queue, Value};
pub use moves::{MoveStep, Moves};
pub use proposition::{Proposition, accepts_inside_atomic};
pub use replay::{Actor, ReplayedStep, StepKind};
pub use shape::{Channel, Frame, Shape};
