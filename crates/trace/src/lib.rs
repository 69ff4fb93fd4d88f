//! What people see of a run: counterexamples as stories, trails as files, what
//! was never executed, and the process automata as pictures.
//!
//! A search returns a path, a list of event numbers. [`Story`] replays it on the
//! interpreter and tells it step by step; [`render`] prints it. A [`Trail`] is
//! the same path in a file, tied to its model by a digest.
//!
//! Invariants
//! - Nothing here executes a statement itself: everything is asked of `exec`.
//! - Nothing here does I/O.

pub mod automata;
mod describe;
mod origin;
mod printf;
mod readable;
pub mod render;
mod snapshot;
mod standing;
mod statement;
mod story;
mod trail;
mod unreached;
mod view;

pub use describe::{Described, describe, kind_name};
pub use origin::{At, Call, Origin};
pub use snapshot::{Change, Snapshot, Variable};
pub use standing::Standing;
pub use story::{Half, ReplayError, Step, Story, Who};
pub use trail::{Trail, TrailError, TrailStep};
pub use unreached::{Unreached, UnreachedStatement, unreached};
pub use view::View;
