//! The `spinor` command: translates between the command line and `spinor-check`.
//!
//! Invariants
//! - Results go to stdout, everything else to stderr.
//! - Exit codes are those of `exit`; a panic is an internal error, never a dump.

mod app;
mod args;
mod commands;
mod diagnostics;
mod exit;
mod interrupt;
mod memory;
mod model;
mod output;
mod progress;
mod quantities;
mod report;
mod trails;

fn main() -> std::process::ExitCode {
    app::main()
}
