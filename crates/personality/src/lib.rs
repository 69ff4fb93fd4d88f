//! SPIN's command line and its text, for scripts that call `spin` and `pan`.
//!
//! [`spin`] does what `spin ARGS…` does, [`pan`] what the verifier does that `spin -a` writes. Both read
//! options, ask `spinor-check` or the simulator, and print what SPIN would print. The `pan.c` that
//! [`spin`] writes carries the model and calls [`pan`] through the program that wrote it.
//!
//! Invariants
//! - Everything is printed through [`Host`]; nothing ends the process.
//! - Verdicts are those of `spinor-check`: nothing here executes a model by itself.

mod bundle;
mod claims;
mod errors;
mod host;
mod model;
mod numbers;
mod pan;
mod remote;
mod rules;
mod simulate;
mod spin;
mod tables;

pub use host::Host;
pub use pan::command as pan;
pub use spin::command as spin;

/// What `-V` and reports say, and what scripts look for.
pub(crate) const VERSION: &str = "Spin Version 6.5.2 -- 6 December 2019";
