//! Tools for testing Spinor against SPIN.
//!
//! - [`spin`]: runs the real SPIN on a model and reads its report (the oracle).
//! - [`classify`]: maps SPIN's messages to our kinds of error.
//! - [`generate`]: seeds to random Promela models that SPIN accepts.
//!
//! The crate knows no engine.

pub mod classify;
pub mod generate;
pub mod mutate;
pub mod shrink;
pub mod spin;
