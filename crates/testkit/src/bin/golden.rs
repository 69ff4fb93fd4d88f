//! `golden DIR`: runs the real SPIN on every model under DIR and writes its
//! results to `DIR/golden.tsv`.
#![allow(clippy::print_stdout, reason = "a tool")]

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(dir) = std::env::args().nth(1).map(PathBuf::from) else {
        println!("usage: golden DIR");
        return ExitCode::from(2);
    };
    match spinor_testkit::golden::record(&dir) {
        Ok(rows) => {
            println!("{} rows written", rows.len());
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}
