//! Tools for testing Spinor against SPIN.
//!
//! - [`spin`]: runs the real SPIN on a model and reads its report (the oracle).
//! - [`classify`]: maps SPIN's messages to our kinds of error.
//! - [`generate`]: seeds to random Promela models that SPIN accepts.
//! - [`shrink`]: makes a model smaller while a predicate still holds.
//! - [`mutate`]: damages model text, for fuzzing the front end.
//! - [`golden`]: recorded results as TSV files.
//! - [`automata`]: compares process automata with those of SPIN.
//! - [`conformance`]: recorded results as test cases.
//! - [`liveness`]: infinite runs, with SPIN as the judge.
//! - [`engines`]: compares native code with the interpreter, state by state.
//! - [`passes`]: programs after the passes of `reduce`, with SPIN's optimisations as the judge.
//! - [`matrix`]: all combinations of search, store and reduction against the plain search.
//! - [`differ`]: compares a checker with the oracle over a range of seeds.
//!
//! - [`spinor`]: Spinor's own engines as a checker to compare.
//!
//! A checker takes part in comparisons through [`differ::Subject`].

pub mod automata;
pub mod classify;
pub mod conformance;
pub mod differ;
pub mod engines;
pub mod generate;
pub mod golden;
pub mod liveness;
pub mod matrix;
pub mod mutate;
pub mod passes;
pub mod personality;
pub mod replays;
pub mod shrink;
pub mod spin;
pub mod spinor;
pub mod subjects;
