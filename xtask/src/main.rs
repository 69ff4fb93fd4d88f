//! Chores of the repository, run as `cargo xtask COMMAND`.
//!
//! Everything heavy (the oracle, the corpus, the fuzzers) lives in `testkit` and
//! is started through cargo, so that this crate builds in seconds and depends on
//! no other crate of the workspace.

// A program whose job is to talk to the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod codegen;
mod golden;
mod measure;
mod readme;
mod setup;
mod shell;
mod tables;
mod test;
mod tidy;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [--quick] [--keep-going]   everything the project promises; sets up what is missing
                                  --quick leaves out the long steps
                                  --keep-going goes on after a failed step
  tidy                            house rules: layers, docs, leftovers, links
  codegen [--check]               write the documentation that is made from the sources
  golden                          record the results of SPIN for models/ again
  tables                          measure the experiments of the paper on directed search
                                  again and write docs/directed-search.md
  storage [--beside] [--omission] [--shortage]
                                  measure every store beside SPIN's, what is missed, and what
                                  short memory does, and write docs/storage.md
  reduction                       measure partial order reduction beside SPIN's and without it,
                                  and write docs/reduction.md
  bench [OPTIONS]                 measure beside SPIN and write docs/benchmarks.md;
                                  `bench --help` lists the options
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command; `false` if it found something wrong.
fn run(args: &[String]) -> Result<bool> {
    let Some((command, options)) = args.split_first() else {
        bail!("no command\n\n{USAGE}");
    };
    if command == measure::COMMAND {
        return measure::child(options);
    }
    if command == "bench" {
        return bench::run(options);
    }
    let options = Options::parse(options)?;
    match command.as_str() {
        "test" => {
            options.allow(&["--quick", "--keep-going"])?;
            let [quick, keep_going] = ["--quick", "--keep-going"].map(|o| options.has(o));
            Ok(test::run(test::Wanted { quick, keep_going }))
        }
        "tidy" => {
            options.allow(&[])?;
            tidy::run()
        }
        "codegen" => {
            options.allow(&["--check"])?;
            codegen::run(options.has("--check"))
        }
        "storage" => {
            options.allow(&bench::STORAGE_OPTIONS)?;
            bench::storage(|option| options.has(option))
        }
        "reduction" => {
            options.allow(&[])?;
            bench::reduction()
        }
        "golden" => {
            options.allow(&[])?;
            golden::run()
        }
        "tables" => {
            options.allow(&[])?;
            tables::run()
        }
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(true)
        }
        other => bail!("unknown command `{other}`\n\n{USAGE}"),
    }
}

/// What follows the command: switches only.
struct Options(Vec<String>);

impl Options {
    fn parse(args: &[String]) -> Result<Self> {
        match args.iter().find(|a| !a.starts_with("--")) {
            Some(stray) => bail!("unexpected argument `{stray}`\n\n{USAGE}"),
            None => Ok(Options(args.to_vec())),
        }
    }

    fn allow(&self, known: &[&str]) -> Result<()> {
        match self.0.iter().find(|o| !known.contains(&o.as_str())) {
            Some(option) => bail!("unknown option `{option}`\n\n{USAGE}"),
            None => Ok(()),
        }
    }

    fn has(&self, option: &str) -> bool {
        self.0.iter().any(|o| o == option)
    }
}
