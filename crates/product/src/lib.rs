//! Systems whose infinite runs are judged.
//!
//! A [`Product`] runs a system in step with the automaton of a formula: its states are
//! those of the system, with the automaton's state behind. [`Marked`] takes the accept
//! labels of the program itself, and of a never claim that the engine runs. Both are
//! [`OmegaSystem`](spinor_ts::OmegaSystem)s over any engine.
//!
//! Invariants
//! - The claim moves first and sees the state before the system's move; it has to be able
//!   to move, or the run is not followed.
//! - A run that ends goes on for ever in its last state: no process moves, the claim does.
//! - Where the claim can only accept from now on, that is a violation at once, and the run
//!   is not followed any more.

mod claim;
mod components;
mod explained;
mod marked;
mod product;

pub use claim::{Claim, Progress};
pub use explained::{Explained, Origin};
pub use marked::Marked;
pub use product::{Product, layout_of};
