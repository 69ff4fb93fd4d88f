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
mod last_words;
mod memory;
mod model;
mod output;
mod progress;
mod quantities;
mod report;
mod trails;

/// When memory runs out, a search is to end with a report.
#[global_allocator]
static ALLOCATOR: spinor_check::Allocator = spinor_check::Allocator;

fn main() -> std::process::ExitCode {
    spinor_check::set_aside();
    app::main()
}
