//! Compares Spinor with recorded results of SPIN.
//!
//! `conformance [--models DIR] [--corpus DIR] [--seconds N] [--setups usual|all]`
//!
//! Every recorded count (stored, matched, transitions, atomic steps) must be
//! met by interpreter and native code, in every exact store, depth first and breadth
//! first, on one and two threads; every verdict must be of the same class. Rows that cannot be compared are counted with the reason.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use spinor_testkit::conformance::{Case, Judgement, corpus_cases, judge, model_cases};
use spinor_testkit::spinor::{Setup, USUAL, all_setups};

fn main() -> ExitCode {
    let mut cases: Vec<Case> = Vec::new();
    let mut limit = Duration::from_secs(60);
    let mut setups = USUAL.to_vec();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().unwrap_or_default();
        let added = match arg.as_str() {
            "--models" => model_cases(Path::new(&value)),
            "--corpus" => corpus_cases(Path::new(&value)),
            "--seconds" => {
                limit = Duration::from_secs(value.parse().unwrap_or(60));
                Ok(Vec::new())
            }
            "--setups" if value == "usual" => Ok(Vec::new()),
            "--setups" if value == "all" => {
                setups = all_setups();
                Ok(Vec::new())
            }
            _ => {
                println!(
                    "usage: conformance [--models DIR] [--corpus DIR] [--seconds N] [--setups usual|all]"
                );
                return ExitCode::from(2);
            }
        };
        match added {
            Ok(added) => cases.extend(added),
            Err(error) => {
                println!("{}: {error}", PathBuf::from(value).display());
                return ExitCode::FAILURE;
            }
        }
    }
    run(&cases, &setups, limit)
}

fn run(cases: &[Case], setups: &[Setup], limit: Duration) -> ExitCode {
    let next = AtomicUsize::new(0);
    let results = Mutex::new((0_usize, BTreeMap::<String, usize>::new(), Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let judgements = std::panic::catch_unwind(|| judge(case, setups, limit))
                        .unwrap_or_else(|_| vec![Judgement::Differs("panic".to_owned())]);
                    let mut results = results.lock().expect("nobody panics with the lock");
                    for (judgement, row) in judgements.into_iter().zip(&case.rows) {
                        match judgement {
                            Judgement::Agrees => results.0 += 1,
                            Judgement::Skipped(reason) => {
                                *results.1.entry(reason).or_default() += 1;
                            }
                            Judgement::Differs(how) => {
                                results.2.push(format!("{} [{}]: {how}", case.name, row.config()));
                            }
                        }
                    }
                }
            });
        }
    });
    let (agree, skipped, differ) = results.into_inner().expect("all threads are done");
    for line in &differ {
        println!("differs: {line}");
    }
    for (reason, count) in &skipped {
        println!("skipped: {count} rows: {reason}");
    }
    println!("{agree} rows agree, {} differ", differ.len());
    ExitCode::from(u8::from(!differ.is_empty()))
}
