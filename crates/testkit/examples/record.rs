//! Runs SPIN on all models under a folder and writes `golden.tsv` there:
//! `cargo run -p spinor-testkit --example record -- FOLDER`.
#![allow(clippy::print_stdout, reason = "a tool")]

use std::path::Path;

fn main() {
    let Some(folder) = std::env::args().nth(1) else {
        println!("argument: FOLDER");
        return;
    };
    match spinor_testkit::golden::record(Path::new(&folder)) {
        Ok(rows) => println!("{} rows", rows.len()),
        Err(e) => println!("{e}"),
    }
}
