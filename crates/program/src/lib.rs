//! The lowered program: processes as automata of guarded transitions, and the
//! layout of the state vector. Both executors work on this and nothing else.
//!
//! The construction of the automata follows SPIN to the letter, because state
//! counts, `pc_value` and trail numbers hang on it; `lower` tells how.

mod automaton;
mod dump;
mod embedded;
pub mod expr;
mod layout;
mod lower;
mod program;
mod scalar;
mod stable;
mod text;
mod usage;

pub use automaton::{
    Action, Automaton, DStep, LocId, Location, Receive, ReceiveField, Send, Statement, StmtId,
    Transition, Written,
};
pub use dump::dump;
pub use embedded::{CAround, CBases, CEntry, CFault, CFunction, CInstance, CLibrary, Embedded};
pub use expr::{Base, Expr, Index, Place, Poll, Run};
pub use layout::{Area, ChannelSite, ChannelType, ChannelTypeId, Initial, Leaf};
pub use lower::{Lowered, Outside, Untold, lower};
pub use program::{EventTrace, ProcessType, Program};
pub use scalar::Scalar;
pub use stable::Stable;
pub use text::of_expr as text_of_expr;
pub use usage::{Exclusive, Slot, Usage};
