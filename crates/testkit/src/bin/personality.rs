//! Compares `spinor spin` with `spin`, command line by command line.
//!
//! `personality --table FILE --root DIR [--only TEXT]`: the trials of a table, run with both.
//! `personality --trails DIR [--except FOLDER,…] [--least N]`: trails of SPIN replayed here, ours in SPIN; of each
//! there must be so many.
//! Under the name `spin`, or with `pan` as the first word, it is the personality itself.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::io::{BufWriter, Write, stderr, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use spinor_personality::Host;
use spinor_testkit::personality::{Stage, Trial, differences, read_trials};
use spinor_testkit::replays;
use spinor_testkit::spin::Oracle;

/// Deeply nested models are read recursively.
const STACK_BYTES: usize = 64 << 20;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    let name = Path::new(&words[0]).file_name().map(|n| n.to_string_lossy().into_owned());
    if name.as_deref() == Some("spin") {
        return as_spin(spinor_personality::spin, words[1..].to_vec());
    }
    if words.get(1).is_some_and(|word| word == "pan") {
        return as_spin(spinor_personality::pan, words[2..].to_vec());
    }
    if let Err(reason) = Oracle::is_available() {
        println!("skipped: {reason}");
        return ExitCode::SUCCESS;
    }
    let option = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1).cloned()
    };
    if let Some(folder) = option("--trails") {
        let except = option("--except").unwrap_or_default();
        let except = except.split(',').filter(|name| !name.is_empty());
        let except: Vec<String> = except.map(str::to_owned).collect();
        let least = option("--least").and_then(|n| n.parse().ok()).unwrap_or(0);
        return trails(Path::new(&folder), &except, least);
    }
    let (Some(table), Some(root)) = (option("--table"), option("--root")) else {
        println!(
            "usage: personality --table FILE --root DIR [--only TEXT] | --trails DIR [--except FOLDER,…] [--least N]"
        );
        return ExitCode::from(2);
    };
    compare(Path::new(&table), Path::new(&root), &option("--only").unwrap_or_default())
}

fn as_spin(job: fn(&[String], &mut Host<'_>) -> u8, words: Vec<String>) -> ExitCode {
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        let mut out = BufWriter::new(stdout().lock());
        let mut host = Host {
            out: &mut out,
            err: &mut stderr().lock(),
            input: &mut stdin().lock(),
            is_interrupted: &|| false,
            executable: std::env::current_exe().ok(),
            memory_limit_bytes: Some(2 << 30),
        };
        let code = job(&words, &mut host);
        let _ = out.flush();
        code
    });
    let code = worker.ok().and_then(|worker| worker.join().ok());
    ExitCode::from(code.unwrap_or(70))
}

fn compare(table: &Path, root: &Path, only: &str) -> ExitCode {
    let trials = match read_trials(table, root) {
        Ok(trials) => trials,
        Err(reason) => {
            println!("{reason}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials = trials;
    trials.retain(|trial| {
        trial.command.contains(only) || trial.model.to_string_lossy().contains(only)
    });
    let stages =
        std::env::current_exe().and_then(|own| Ok((Stage::new(None)?, Stage::new(Some(&own))?)));
    let (spin, ours) = match stages {
        Ok(stages) => stages,
        Err(error) => {
            println!("no room for trials: {error}");
            return ExitCode::FAILURE;
        }
    };
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let printing = Mutex::new(());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = try_one(trial, &spin, &ours);
                    if !found.is_empty() {
                        failed.fetch_add(1, Ordering::Relaxed);
                        let _guard = printing.lock();
                        println!("{}: {}", trial.model.display(), trial.command);
                        found.iter().for_each(|line| println!("    {line}"));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner();
    println!("{} command lines, {failed} with differences", trials.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn try_one(trial: &Trial, spin: &Stage, ours: &Stage) -> Vec<String> {
    let run = || {
        let name = trial.model.file_name().map(|n| n.to_string_lossy().into_owned());
        let files = vec![(name.unwrap_or_default(), std::fs::read(&trial.model)?)];
        Ok((spin.play(&files, &trial.command)?, ours.play(&files, &trial.command)?))
    };
    let played: std::io::Result<_> = run();
    match played {
        Ok((theirs, here)) => differences(trial.mode, &theirs, &here),
        Err(error) => vec![error.to_string()],
    }
}

fn trails(folder: &Path, except: &[String], least: usize) -> ExitCode {
    let own = match std::env::current_exe() {
        Ok(own) => own,
        Err(error) => {
            println!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut models: Vec<PathBuf> = Vec::new();
    replays::models(folder, except, &mut models);
    models.sort();
    let tally = replays::run(&models, &own);
    println!("{tally}");
    let (of_spin, of_ours) = tally.arrived();
    if of_spin.min(of_ours) < least {
        println!("there should be {least} of each");
        return ExitCode::FAILURE;
    }
    if tally.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
