//! Prints the model of a seed: `cargo run -p spinor-testkit --example model -- SEED [size] [modes]`.
//!
//! Modes are letters: `c` claim, `t` trace, `r` run-time errors, `l` properties of infinite runs.
#![allow(clippy::print_stdout, reason = "a tool")]

use spinor_testkit::generate::{Options, generate_text};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| args.get(i).and_then(|a| a.parse::<u64>().ok());
    let mode = args.get(2).cloned().unwrap_or_default();
    let options = Options {
        size: number(1).unwrap_or(3) as usize,
        claims: mode.contains('c'),
        traces: mode.contains('t'),
        liveness: mode.contains('l'),
        runtime_errors: mode.contains('r'),
        ..Options::default()
    };
    print!("{}", generate_text(number(0).unwrap_or(0), &options));
}
