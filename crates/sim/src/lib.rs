//! Simulation: one run of a model, chosen by chance or by a person.
//!
//! [`Simulation`] walks from state to state of the reference interpreter, so every simulated
//! move is an event that a search would see too. [`Chance`] chooses, [`Filter`] says what is shown,
//! [`Columns`] prints one column for each process, [`Evaluation`] follows an expression.
//!
//! Invariants
//! - The same seed gives the same run, on every machine.
//! - A run ends at its first error: what the verifier reports, a simulation does not pass over.
//! - Nothing here does I/O.

mod chance;
mod choice;
mod columns;
mod draw;
mod ending;
mod evaluation;
mod filter;
mod simulation;
#[cfg(test)]
mod tests;

pub use chance::Chance;
pub use choice::Choice;
pub use columns::Columns;
pub use draw::Draw;
pub use ending::Ending;
pub use evaluation::{Evaluation, EvaluationError, Valued};
pub use filter::Filter;
pub use simulation::{Happened, Simulation};
