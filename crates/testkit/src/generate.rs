//! Random Promela models that SPIN accepts.
//!
//! A seed gives a [`Model`](tree::Model): well typed, with a finite and mostly
//! small state space, and focussed on a handful of language features. The same
//! seed and options give the same text forever.
//!
//! Finiteness comes from value ranges (see `expr`): every stored number is
//! folded into a small domain, and processes are only started under a bound.

mod build;
mod channels;
mod control;
mod decls;
mod dynamic;
mod env;
mod expr;
pub mod features;
mod meetings;
mod monitor;
mod numbers;
mod print;
pub mod rng;
mod stmt;
mod stretches;
mod temporal;
pub mod tree;

pub use dynamic::generate_dynamic;
pub use features::{Feature, Features};
pub use meetings::generate_meetings;
pub use numbers::generate_numbers;
pub use print::print;
pub use stretches::generate_stretches;

/// What to generate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Rough number of statements per process; 3 is ordinary.
    pub size: usize,
    /// The features to use; chosen by the seed if `None`.
    pub features: Option<Features>,
    /// Adds a never claim.
    pub claims: bool,
    /// Adds a trace or notrace declaration where a channel allows it.
    pub traces: bool,
    /// Judges infinite runs: adds `ltl` blocks, `accept` and `progress` labels, or a claim.
    pub liveness: bool,
    /// Allows rare run-time errors (counts under `pan -A` are then no guide).
    pub runtime_errors: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            size: 3,
            features: None,
            claims: false,
            traces: false,
            liveness: false,
            runtime_errors: false,
        }
    }
}

/// The model of a seed.
pub fn generate(seed: u64, options: &Options) -> tree::Model {
    build::Builder::new(seed, options).build()
}

/// The text of the model of a seed.
pub fn generate_text(seed: u64, options: &Options) -> String {
    print(&generate(seed, options))
}

#[cfg(test)]
mod tests;
