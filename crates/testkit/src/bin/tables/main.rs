//! `tables DIR [TABLE]`: the experiments of the paper on directed model checking, on its own models in DIR, as a
//! page on standard output: our numbers beside the paper's.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool that prints a page")]

mod corpus;
mod model;
mod page;
mod paper;
mod runs;
mod spin;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(dir) = std::env::args().nth(1).map(PathBuf::from) else {
        eprintln!("usage: tables DIR [TABLE]");
        return ExitCode::from(2);
    };
    match page::page(&dir, std::env::args().nth(2).as_deref()) {
        Ok(page) => {
            print!("{page}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
