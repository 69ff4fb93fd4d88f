//! Compares searches with and without partial order reduction.
//!
//! `reduction [PATH…] [--random FROM..TO] [--size N] [--seconds N] [--verbose]`
//!
//! Both must find the same violations, each at the same statements; the reduced search must not
//! store more states. Exit code 1 on any difference.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use spinor_exec::Options;
use spinor_jit::{Engine, TierConfig, Tiered};
use spinor_program::Program;
use spinor_search::{SearchConfig, dive};
use spinor_store::SharedExact;
use spinor_stubborn::{Reduced, Visible, obstacle};
use spinor_syntax::{Define, PreprocessOptions};
use spinor_testkit::generate::{Options as GenerateOptions, generate_text};
use spinor_testkit::golden;
use spinor_testkit::spinor::compile_with;
use spinor_ts::{Outcome, SilentObserver, TransitionSystem, Violation};

struct Job {
    files: Vec<PathBuf>,
    seeds: Vec<u64>,
    size: usize,
    seconds: u64,
    verbose: bool,
}

#[derive(Default)]
struct Tally {
    compared: u64,
    left_out: u64,
    different: u64,
    full: u64,
    reduced: u64,
    /// Sum of the logarithms of the ratios.
    ratios: f64,
}

fn main() -> ExitCode {
    let Some(job) = parse() else {
        println!(
            "usage: reduction [PATH…] [--random FROM..TO] [--size N] [--seconds N] [--verbose]"
        );
        return ExitCode::from(2);
    };
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (name, text) = if let Some(path) = job.files.get(at) {
                        let bytes = std::fs::read(path).unwrap_or_default();
                        let text = String::from_utf8_lossy(&bytes).into_owned();
                        (path.display().to_string(), text)
                    } else if let Some(seed) = job.seeds.get(at - job.files.len()) {
                        let options = GenerateOptions {
                            size: job.size,
                            runtime_errors: seed % 3 == 0,
                            ..GenerateOptions::default()
                        };
                        (format!("seed {seed}"), generate_text(*seed, &options))
                    } else {
                        break;
                    };
                    compare(&name, &text, &job, &tally);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no thread panics while counting");
    let mean = (tally.ratios / tally.compared.max(1) as f64).exp();
    println!(
        "{} models compared ({} left out), {} of {} states, geometric mean {mean:.3}, {} different",
        tally.compared, tally.left_out, tally.reduced, tally.full, tally.different
    );
    ExitCode::from(u8::from(tally.different > 0))
}

fn parse() -> Option<Job> {
    let mut job = Job { files: Vec::new(), seeds: Vec::new(), size: 3, seconds: 5, verbose: false };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--verbose" => job.verbose = true,
            "--size" => job.size = args.next()?.parse().ok()?,
            "--seconds" => job.seconds = args.next()?.parse().ok()?,
            "--random" => {
                let range = args.next()?;
                let (from, to) = range.split_once("..")?;
                job.seeds.extend(from.parse::<u64>().ok()?..to.parse().ok()?);
            }
            path => {
                let path = Path::new(path);
                if path.is_dir() {
                    job.files.extend(golden::models_under(path).ok()?);
                } else {
                    job.files.push(path.to_owned());
                }
            }
        }
    }
    Some(job)
}

fn compare(name: &str, text: &str, job: &Job, tally: &Mutex<Tally>) {
    let define = |d: &String| {
        let (name, value) = d.split_once('=').unwrap_or((d, "1"));
        Define::Define(name.to_owned(), value.to_owned())
    };
    let options = PreprocessOptions { defines: golden::defines(text).iter().map(define).collect() };
    let program = compile_with(name, text, &options).ok();
    let program = program.filter(|p| obstacle(p, Options::default()).is_none());
    let Some(program) = program else {
        tally.lock().expect("counting does not panic").left_out += 1;
        return;
    };
    let full = search(engine(&program, false), job);
    let labelled = Options { labels: true, ..Options::default() };
    let reduced =
        Reduced::new(engine(&program, true), Arc::clone(&program), labelled, Visible::default());
    let reduced = search(reduced, job);
    let mut tally = tally.lock().expect("counting does not panic");
    if !full.incomplete.is_empty() || !reduced.incomplete.is_empty() {
        tally.left_out += 1;
        if job.verbose {
            println!("left out: {name}");
        }
        return;
    }
    let (all, few) = (full.stats.stored, reduced.stats.stored);
    tally.compared += 1;
    tally.full += all;
    tally.reduced += few;
    tally.ratios += (few as f64 / all as f64).ln();
    let (want, have) = (violations(&full), violations(&reduced));
    if want != have || few > all {
        tally.different += 1;
        println!("differs: {name}: {want:?} in {all} states, reduced {have:?} in {few}");
    } else if job.verbose {
        println!("{name}: {few} of {all} states");
    }
}

fn engine(program: &Arc<Program>, labels: bool) -> Tiered {
    let config = TierConfig { engine: Engine::Auto, ..TierConfig::default() };
    Tiered::new(Arc::clone(program), Options { labels, ..Options::default() }, config)
}

fn search(mut system: impl TransitionSystem, job: &Job) -> Outcome {
    let config = SearchConfig {
        max_errors: 0,
        time_limit: Some(Duration::from_secs(job.seconds)),
        memory_limit_bytes: Some(2 << 30),
        ..SearchConfig::default()
    };
    dive(&mut system, &SharedExact::new(), &config, &mut SilentObserver)
}

fn violations(outcome: &Outcome) -> BTreeSet<Violation> {
    outcome.errors.iter().map(|e| e.violation).collect()
}
