//! Embedded C: generated, compiled, loaded and called.
//!
//! `source` writes one C file: what SPIN's `pan.c` offers to embedded C (`now`, `Pname->x`), the
//! model's C text with `#line`s, and one function for each `c_code` and `c_expr` that copies what
//! it uses out of our packed state into C variables and back. `compiler` makes a shared object of it and
//! `diagnose` leads its complaints back to the model. `library` loads it, once for each interpreter,
//! so that every thread has C memory of its own; `call` runs a piece of it under a `guard` that turns
//! crashes and endless loops into results. `inside` finds the C in a program that was compiled elsewhere.

mod call;
mod compiler;
mod diagnose;
mod elf;
mod guard;
mod inside;
mod layout;
mod library;
mod marshal;
mod memory;
mod names;
mod show;
mod source;
mod uses;
mod watchdog;

pub use compiler::{CForm, COptions, CompileError};
pub use library::{Attached, attach};

/// Embedded C is in the model, but was not allowed.
pub const NOT_ALLOWED: &str = "P0600";
/// The C compiler refuses the model's C.
pub const REFUSED: &str = "P0601";
/// There is no C compiler, or what it made cannot be used.
pub const NO_COMPILER: &str = "P0602";
