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
    refuse_on_purpose();
    app::main()
}

/// For tests: `SPINOR_REFUSE=N` refuses the Nth request for much memory, `SPINOR_REFUSE=N+` all from there on.
fn refuse_on_purpose() {
    let Ok(text) = std::env::var("SPINOR_REFUSE") else { return };
    let number = text.strip_suffix('+').unwrap_or(&text);
    if let Ok(number) = number.parse() {
        spinor_check::refuse_request(number, text.ends_with('+'));
    }
}
