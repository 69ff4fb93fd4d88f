//! Native code: a program compiled to machine code in this process.
//!
//! `compile` turns the process automata into step functions (see [`abi`]); [`Native`]
//! calls them and is a [`TransitionSystem`](spinor_ts::TransitionSystem) with the same
//! events in the same order as the interpreter's. [`Tiered`] begins with the
//! interpreter and goes over to native code when that is ready.

pub mod abi;
mod batch;
mod claim;
pub mod compile;
mod events;
mod hash;
mod helpers;
mod labels;
mod native;
mod permits;
mod routines;
mod shapes;
mod starts;
mod state_set;
mod tiered;
mod walk;
mod word;
mod words;

pub use compile::{Clock, Code, CompileError, Threads, compile, no_clock, plain_thread};
pub use native::Native;
pub use tiered::{Engine, TierConfig, Tiered};
