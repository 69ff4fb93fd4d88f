//! Compares Spinor's answers about infinite runs with SPIN's.
//!
//! `liveness [--models DIR] [--corpus DIR] [--seconds N] [--ways usual|all] [--only TEXT]`
//! `liveness --record DIR`: asks SPIN and writes `DIR/golden.tsv`
//! `liveness --truth DIR`: decides the same rows by brute force
//!
//! Every answer that SPIN gave (or the right one, where SPIN is wrong) must be given by
//! every algorithm, on both engines, on one thread and on two. Rows that cannot be
//! compared are counted with the reason.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use spinor_testkit::conformance::Judgement;
use spinor_testkit::liveness::answer::{ALL_WAYS, USUAL_WAYS, Way};
use spinor_testkit::liveness::brute::decide;
use spinor_testkit::liveness::record::record;
use spinor_testkit::liveness::rows::{Case, UNDECIDED, corpus_cases, judge, model_cases};

const USAGE: &str = "usage: liveness [--models DIR] [--corpus DIR] [--seconds N] \
                     [--ways usual|all] [--only TEXT] | --record DIR | --truth DIR";

fn main() -> ExitCode {
    let mut job = Job { limit: Duration::from_secs(20), ways: USUAL_WAYS.to_vec(), only: None };
    let mut cases: Vec<Case> = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().unwrap_or_default();
        let added = match arg.as_str() {
            "--models" => model_cases(Path::new(&value)),
            "--corpus" => corpus_cases(Path::new(&value)),
            "--truth" => return print_truth(Path::new(&value)),
            "--record" => return record_models(Path::new(&value)),
            _ if job.option(&arg, &value) => Ok(Vec::new()),
            _ => {
                println!("{USAGE}");
                return ExitCode::from(2);
            }
        };
        match added {
            Ok(added) => cases.extend(added),
            Err(error) => {
                println!("{value}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    if let Some(only) = &job.only {
        cases.retain(|case| case.name.contains(only));
    }
    run(&cases, &job)
}

struct Job {
    limit: Duration,
    ways: Vec<Way>,
    only: Option<String>,
}

impl Job {
    /// Takes an option over; `false` if there is none of that name.
    fn option(&mut self, name: &str, value: &str) -> bool {
        match (name, value) {
            ("--seconds", _) => self.limit = Duration::from_secs(value.parse().unwrap_or(20)),
            ("--only", _) => self.only = Some(value.to_owned()),
            ("--ways", "usual") => {}
            ("--ways", "all") => self.ways = ALL_WAYS.to_vec(),
            _ => return false,
        }
        true
    }
}

/// Who is right: the brute-force answers, one row per property.
fn print_truth(dir: &Path) -> ExitCode {
    let cases = match model_cases(dir) {
        Ok(cases) => cases,
        Err(error) => {
            println!("{error}");
            return ExitCode::FAILURE;
        }
    };
    for case in &cases {
        let mut properties: Vec<&str> = case.facts.iter().map(|f| f.property.as_str()).collect();
        properties.dedup();
        for property in properties {
            let truth = decide(&case.text, &case.defines, property, MAX_STATES);
            for fact in case.facts.iter().filter(|f| f.property == property) {
                let truth = truth.clone().map(|t| t.under(fact.fairness));
                let mark = if truth == fact.violated { "" } else { "  <<<" };
                println!(
                    "{} [{}]: {truth:?}, recorded {:?}{mark}",
                    case.name, fact.config, fact.violated
                );
            }
            println!("{} [{property}]: {truth:?}", case.name);
        }
    }
    ExitCode::SUCCESS
}

/// Product states that the brute-force checker looks at.
const MAX_STATES: usize = 100_000;

fn record_models(dir: &Path) -> ExitCode {
    match record(dir) {
        Ok(rows) => {
            println!("{rows} rows written");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Default)]
struct Results {
    agree: usize,
    skipped: BTreeMap<String, usize>,
    undecided: Vec<String>,
    differ: Vec<String>,
}

fn run(cases: &[Case], job: &Job) -> ExitCode {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Results::default());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let judgements = std::panic::catch_unwind(|| judge(case, &job.ways, job.limit))
                        .unwrap_or_else(|_| vec![Judgement::Differs("panic".to_owned())]);
                    let mut results = results.lock().expect("nobody panics with the lock");
                    for (judgement, fact) in judgements.into_iter().zip(&case.facts) {
                        let place = format!("{} [{}] {}", case.name, fact.config, fact.property);
                        results.add(&place, judgement);
                    }
                }
            });
        }
    });
    let results = results.into_inner().expect("all threads are done");
    for line in &results.undecided {
        println!("undecided: {line}");
    }
    for line in &results.differ {
        println!("differs: {line}");
    }
    for (reason, count) in &results.skipped {
        println!("skipped: {count} rows: {reason}");
    }
    let Results { agree, undecided, differ, .. } = &results;
    println!("{agree} rows agree, {} undecided, {} differ", undecided.len(), differ.len());
    ExitCode::from(u8::from(!results.differ.is_empty()))
}

impl Results {
    fn add(&mut self, place: &str, judgement: Judgement) {
        match judgement {
            Judgement::Agrees => self.agree += 1,
            Judgement::Skipped(reason) if reason.starts_with(UNDECIDED) => {
                self.undecided.push(format!("{place}: {reason}"));
            }
            Judgement::Skipped(reason) => *self.skipped.entry(reason).or_default() += 1,
            Judgement::Differs(how) => self.differ.push(format!("{place}: {how}")),
        }
    }
}
