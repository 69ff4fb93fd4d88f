//! The waist of the system: what a search needs to know of a model, and nothing more.
//!
//! A state is a string of bytes. A [`TransitionSystem`] gives the first one and,
//! for any state, all that can happen next. Atomic sequences, `d_step`,
//! rendezvous, `timeout` and claims are resolved behind this interface: a search
//! only ever sees states that are to be stored.
//!
//! Invariants
//! - `expand` is a function of the state: same bytes in, same events out, in the
//!   same order. A trail is therefore a list of event numbers.
//! - Nothing here knows of Promela.

mod behind;
mod estimate;
mod groups;
mod omega;
mod outcome;
mod padded;
mod quad;
mod system;
mod words;

pub use estimate::{Blind, Estimate, HOPELESS};
pub use groups::{Footprint, GroupMoves};
pub use omega::{Component, ComponentClass, Fairness, Label, MAX_MOVERS, OmegaSystem};
pub use outcome::{
    Control, Depth, FoundError, Incomplete, Observer, Outcome, Path, SilentObserver, Stats, Verdict,
};
pub use padded::{PADDING, Padded};
pub use quad::Quad;
pub use system::{
    Event, EventKind, Expansion, Layout, LayoutOf, Seats, TransitionSystem, Violation,
    ViolationKind, one_by_one,
};
pub use words::{
    Cell, CellsOf, WORD_LANES, WordCode, WordField, WordFigures, WordLayout, WordMoves,
    WordSuccessor, WordSuccessors, WordUse,
};
