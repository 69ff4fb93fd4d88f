//! Compares programs after the passes of `spinor_reduce` with SPIN's optimisations.
//!
//! `passes --corpus DIR [--seconds N] [--setups one|usual] [--only TEXT]`: recorded counts.
//! `passes --random FROM..TO [--off merging|dead-variables|write-only] [--claims] [--traces]
//! [--runtime-errors] [--size N] [--shrink]`: random models, run through SPIN.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use spinor_reduce::Passes;
use spinor_testkit::conformance::{Case, Judgement};
use spinor_testkit::generate::{Options, generate, generate_text, print};
use spinor_testkit::passes::{compare_text, corpus_cases, judge};
use spinor_testkit::shrink::shrink_model;
use spinor_testkit::spin::{Config, Oracle};
use spinor_testkit::spinor::{REFERENCE, Setup, USUAL};
use spinor_testkit::subjects::range;

/// What the command line asks for.
struct Job {
    corpus: Option<PathBuf>,
    only: String,
    limit: Duration,
    setups: Vec<Setup>,
    seeds: Range<u64>,
    passes: Passes,
    options: Options,
    configs: Vec<Config>,
    shrink: bool,
}

fn main() -> ExitCode {
    let Some(job) = parse(std::env::args().skip(1)) else {
        println!(
            "usage: passes [--corpus DIR] [--seconds N] [--setups one|usual] [--only TEXT] \
             [--random FROM..TO] [--off PASS] [--claims] [--traces] [--runtime-errors] \
             [--size N] [--shrink]"
        );
        return ExitCode::from(2);
    };
    let mut tally = Tally::default();
    if let Some(dir) = &job.corpus {
        match corpus_cases(dir) {
            Ok(mut cases) => {
                cases.retain(|case| case.name.contains(&job.only));
                in_parallel(&tally_of(&mut tally), 0..cases.len() as u64, |at| {
                    recorded(&cases[at as usize], &job)
                });
            }
            Err(error) => {
                println!("{}: {error}", dir.display());
                return ExitCode::FAILURE;
            }
        }
    }
    if !job.seeds.is_empty() {
        match Oracle::is_available() {
            Ok(()) => {
                let seeds = job.seeds.clone();
                in_parallel(&tally_of(&mut tally), seeds, |seed| vec![random(seed, &job)]);
            }
            Err(reason) => println!("skipped: {reason}"),
        }
    }
    for (reason, count) in &tally.skipped {
        println!("skipped: {count}: {reason}");
    }
    println!("{} agree, {} differ", tally.agree, tally.differ);
    ExitCode::from(u8::from(tally.differ > 0))
}

fn parse(mut args: impl Iterator<Item = String>) -> Option<Job> {
    let mut job = Job {
        corpus: None,
        only: String::new(),
        limit: Duration::from_secs(60),
        setups: USUAL.to_vec(),
        seeds: 0..0,
        passes: Passes::ALL,
        options: Options::default(),
        configs: vec![Config::Full, Config::VerdictAll],
        shrink: false,
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--corpus" => job.corpus = Some(args.next()?.into()),
            "--only" => job.only = args.next()?,
            "--seconds" => job.limit = Duration::from_secs(args.next()?.parse().ok()?),
            "--setups" => match args.next()?.as_str() {
                "one" => job.setups = vec![REFERENCE],
                "usual" => {}
                _ => return None,
            },
            "--random" => {
                job.seeds = range(&args.next()?)?;
            }
            "--off" => match args.next()?.as_str() {
                "merging" => job.passes.merging = false,
                "dead-variables" => job.passes.dead_variables = false,
                // SPIN's flag for it stops resets too.
                "write-only" => {
                    job.passes.write_only = false;
                    job.passes.dead_variables = false;
                }
                _ => return None,
            },
            "--size" => job.options.size = args.next()?.parse().ok()?,
            "--claims" => {
                job.options.claims = true;
                job.configs.push(Config::Claim);
            }
            "--traces" => job.options.traces = true,
            "--runtime-errors" => {
                job.options.runtime_errors = true;
                job.configs = vec![Config::VerdictAll];
            }
            "--shrink" => job.shrink = true,
            _ => return None,
        }
    }
    Some(job)
}

#[derive(Default)]
struct Tally {
    agree: u64,
    differ: u64,
    skipped: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, (name, judgement): (String, Judgement)) {
        match judgement {
            Judgement::Agrees => self.agree += 1,
            Judgement::Skipped(reason) => *self.skipped.entry(reason).or_default() += 1,
            Judgement::Differs(how) => {
                self.differ += 1;
                println!("differs: {name}: {how}");
            }
        }
    }
}

fn tally_of(tally: &mut Tally) -> Mutex<&mut Tally> {
    Mutex::new(tally)
}

/// Works off the numbers of a range on all cores.
fn in_parallel(
    tally: &Mutex<&mut Tally>,
    range: Range<u64>,
    work: impl Fn(u64) -> Vec<(String, Judgement)> + Sync,
) {
    let next = AtomicU64::new(range.start);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= range.end {
                        return;
                    }
                    let work = std::panic::AssertUnwindSafe(|| work(number));
                    let results = std::panic::catch_unwind(work).unwrap_or_else(|_| {
                        vec![(format!("number {number}"), Judgement::Differs("panic".to_owned()))]
                    });
                    let mut tally = tally.lock().expect("nobody panics while counting");
                    results.into_iter().for_each(|result| tally.add(result));
                }
            });
        }
    });
}

fn recorded(case: &Case, job: &Job) -> Vec<(String, Judgement)> {
    let judgements = judge(case, &job.setups, job.limit);
    let names = case.rows.iter().map(|row| {
        let flags = row.get("spin_flags").unwrap_or_default();
        format!("{} [{} {flags}]", case.name, row.config())
    });
    names.zip(judgements).collect()
}

fn random(seed: u64, job: &Job) -> (String, Judgement) {
    let compared = |text: &str| compare_text(text, job.passes, &job.configs, &job.setups[1..]);
    let judgement = match compared(&generate_text(seed, &job.options)) {
        Ok(None) => Judgement::Agrees,
        Ok(Some(how)) if job.shrink => {
            let model = generate(seed, &job.options);
            let differs = |text: &str| matches!(compared(text), Ok(Some(_)));
            let small = print(&shrink_model(&model, 400, &differs));
            let how = compared(&small).ok().flatten().unwrap_or(how);
            Judgement::Differs(format!("{how}\n{small}"))
        }
        Ok(Some(how)) => Judgement::Differs(how),
        Err(reason) => Judgement::Skipped(reason),
    };
    (format!("seed {seed}"), judgement)
}
