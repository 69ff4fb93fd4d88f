//! Differential fuzzing: random models through SPIN and through Spinor.
//!
//! `fuzz FROM..TO [--seconds N] [--claims] [--traces] [--runtime-errors] [--dynamic] [--size N] [--shrink]`
//!
//! Exit code 1 on any disagreement, which is printed (and shrunk on request).
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use spinor_testkit::differ::compare;
use spinor_testkit::generate::{Options, generate, generate_dynamic, generate_text, print};
use spinor_testkit::shrink::shrink_model;
use spinor_testkit::spin::{Config, Oracle};
use spinor_testkit::spinor::{REFERENCE, USUAL, compile, name, outcome_of, search};
use spinor_testkit::subjects::range;

/// What the command line asks for.
struct Job {
    seeds: std::ops::Range<u64>,
    deadline: Instant,
    options: Options,
    configs: Vec<Config>,
    /// Processes come and go.
    is_dynamic: bool,
    shrink: bool,
}

fn main() -> ExitCode {
    let Some(job) = parse(std::env::args().skip(1)) else {
        println!(
            "usage: fuzz FROM..TO [--seconds N] [--claims] [--traces] [--runtime-errors] [--dynamic] [--size N] [--shrink]"
        );
        return ExitCode::from(2);
    };
    if let Err(reason) = Oracle::is_available() {
        println!("skipped: {reason}");
        return ExitCode::SUCCESS;
    }
    let next = AtomicU64::new(job.seeds.start);
    let tally = Mutex::new(Tally::default());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= job.seeds.end || Instant::now() >= job.deadline {
                        return;
                    }
                    let verdict = compare_seed(seed, &job);
                    let mut tally = tally.lock().expect("no thread panics while counting");
                    tally.add(seed, verdict);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("all threads are done");
    println!(
        "{} models compared, {} refused by SPIN, {} cut short, {} disagreements",
        tally.compared, tally.refused, tally.truncated, tally.disagreements
    );
    if tally.compared + tally.refused + tally.truncated < job.seeds.end - job.seeds.start {
        println!("time is up before the last seed");
    }
    ExitCode::from(u8::from(tally.disagreements > 0))
}

fn parse(mut args: impl Iterator<Item = String>) -> Option<Job> {
    let seeds = range(&args.next()?)?;
    let mut job = Job {
        seeds,
        deadline: Instant::now() + Duration::from_secs(1 << 30),
        options: Options::default(),
        configs: vec![Config::Full, Config::VerdictAll],
        is_dynamic: false,
        shrink: false,
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => {
                job.deadline = Instant::now() + Duration::from_secs(args.next()?.parse().ok()?);
            }
            "--size" => job.options.size = args.next()?.parse().ok()?,
            "--claims" => {
                job.options.claims = true;
                job.configs.push(Config::Claim);
            }
            "--traces" => job.options.traces = true,
            "--runtime-errors" => {
                // After an error SPIN computes with undefined memory: no counts.
                job.options.runtime_errors = true;
                job.configs = vec![Config::VerdictAll];
            }
            "--dynamic" => {
                // They use channels that are gone: no counts either.
                job.is_dynamic = true;
                job.configs = vec![Config::VerdictAll];
            }
            "--shrink" => job.shrink = true,
            _ => return None,
        }
    }
    Some(job)
}

/// What came of one seed.
enum Verdict {
    Agree,
    Refused,
    Truncated,
    Differ(String),
}

#[derive(Default)]
struct Tally {
    compared: u64,
    refused: u64,
    truncated: u64,
    disagreements: u64,
}

impl Tally {
    fn add(&mut self, seed: u64, verdict: Verdict) {
        match verdict {
            Verdict::Agree => self.compared += 1,
            Verdict::Refused => self.refused += 1,
            Verdict::Truncated => self.truncated += 1,
            Verdict::Differ(text) => {
                self.compared += 1;
                self.disagreements += 1;
                println!("seed {seed}: {text}\n");
            }
        }
        let done = self.compared + self.refused + self.truncated;
        if done.is_multiple_of(500) {
            println!("… {done} models, {} disagreements", self.disagreements);
        }
    }
}

fn compare_seed(seed: u64, job: &Job) -> Verdict {
    let text =
        if job.is_dynamic { generate_dynamic(seed) } else { generate_text(seed, &job.options) };
    match compare_text(&text, &job.configs) {
        Verdict::Differ(difference) if job.shrink => {
            let model = generate(seed, &job.options);
            let small = shrink_model(&model, 400, &|source| {
                matches!(compare_text(source, &job.configs), Verdict::Differ(_))
            });
            let small = print(&small);
            let difference = match compare_text(&small, &job.configs) {
                Verdict::Differ(now) => now,
                _ => difference,
            };
            Verdict::Differ(format!("{difference}\n{small}"))
        }
        Verdict::Differ(difference) => Verdict::Differ(difference),
        other => other,
    }
}

fn compare_text(text: &str, configs: &[Config]) -> Verdict {
    let oracle = Oracle::default();
    let outcomes = match oracle.check_all(text, configs) {
        Ok(outcomes) => outcomes,
        Err(error) => return Verdict::Differ(format!("oracle: {error}")),
    };
    if outcomes.iter().any(|o| o.refused.is_some()) {
        return Verdict::Refused;
    }
    if outcomes.iter().any(|o| o.truncated.is_some()) {
        return Verdict::Truncated;
    }
    let program = match compile("model.pml", text) {
        Ok(program) => program,
        Err(reason) => return Verdict::Differ(format!("we refuse it: {reason}")),
    };
    for (&config, spin) in configs.iter().zip(&outcomes) {
        let reference = outcome_of(&search(&program, config, &REFERENCE));
        if let Some(difference) = compare(config, spin, &reference) {
            return Verdict::Differ(format!("{}: {difference}", config.name()));
        }
        for setup in &USUAL[1..] {
            // Hidden variables make the graph depend on the order of the search.
            if program.hidden_bytes > 0 && setup.order != REFERENCE.order {
                continue;
            }
            let other = outcome_of(&search(&program, config, setup));
            let same = reference.stored == other.stored
                && reference.matched == other.matched
                && sorted(&reference.errors) == sorted(&other.errors);
            if !same {
                let (config, setup) = (config.name(), name(setup));
                return Verdict::Differ(format!("{config}: {reference:?}, {setup}: {other:?}"));
            }
        }
    }
    Verdict::Agree
}

fn sorted<T: Ord + Clone>(items: &[T]) -> Vec<T> {
    let mut items = items.to_vec();
    items.sort();
    items.dedup();
    items
}
