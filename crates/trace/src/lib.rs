//! What people see of a run: counterexamples as stories, trails as files, what
//! was never executed, and the process automata as pictures.
//!
//! A search returns a path; as a list of moves it is a [`Run`]. [`Story`] replays it on the
//! interpreter and tells it step by step; [`render`] prints it. A [`Trail`] is
//! the same run in a file, tied to its model by a digest.
//!
//! Invariants
//! - Nothing here executes a statement itself: everything is asked of `exec`.
//! - Nothing here does I/O.

pub mod automata;
mod cycle;
mod describe;
mod itf;
mod message;
mod msc;
mod origin;
mod printf;
mod readable;
pub mod render;
mod run;
mod snapshot;
mod spin_trail;
mod standing;
mod statement;
mod story;
mod teller;
mod trail;
mod unreached;
mod view;

pub use cycle::{Cycle, OnCycle};
pub use describe::{Described, describe, kind_name};
pub use itf::Itf;
pub use message::{Message, Transfer};
pub use msc::Chart;
pub use origin::{At, Call, Origin};
pub use run::{Move, Run};
pub use snapshot::{Change, Snapshot, Variable};
pub use spin_trail::{FollowError, Followed, SpinClaim, SpinStep, SpinTrail, SpinTrailError};
pub use standing::Standing;
pub use story::{Half, Interest, ReplayError, Step, Story, Watched, Who};
pub use teller::{Teller, Told};
pub use trail::{Trail, TrailError, TrailStep};
pub use unreached::{Unreached, UnreachedStatement, unreached};
pub use view::View;
