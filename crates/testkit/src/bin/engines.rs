//! Compares native code with the interpreter, state by state.
//!
//! `engines [PATH…] [--states N] [--seconds N] [--random FROM..TO] [--size N] [--verbose] [--print]`
//!
//! Paths are models or folders of models; seeds stand for generated ones. Each model is
//! compared without claim and with each of its claims. Exit code 1 on any difference.
//! `--print` shows the models instead.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use spinor_exec::Options;
use spinor_testkit::engines::{Limits, compare};
use spinor_testkit::generate::{Options as GenerateOptions, generate_text};
use spinor_testkit::spinor::{admits_all_setups, compile_with};
use spinor_testkit::subjects::{preprocess_options, range};

/// Endings of files that may be models; those without one are tried as well.
const ENDINGS: &[&str] = &["pml", "prm", "pm", "spin", "prom", "promela", "pr", "sumo"];

/// Part of the states that may be left to the interpreter without being listed.
const TOLERATED: f64 = 0.01;

/// Where a model comes from.
enum Source {
    File(PathBuf),
    Seed(u64),
}

struct Job {
    sources: Vec<Source>,
    limits: Limits,
    size: usize,
    verbose: bool,
    print: bool,
}

#[derive(Default)]
struct Tally {
    models: u64,
    refused: u64,
    states: u64,
    bails: u64,
    needless: u64,
    different: u64,
    slow: Vec<String>,
}

fn main() -> ExitCode {
    let Some(job) = parse(std::env::args().skip(1)) else {
        println!(
            "usage: engines [PATH…] [--states N] [--seconds N] [--random FROM..TO] [--size N] [--verbose] [--print]"
        );
        return ExitCode::from(2);
    };
    if job.print {
        for source in &job.sources {
            println!("{}", text_of(source, job.size).unwrap_or_else(|reason| reason));
        }
        return ExitCode::SUCCESS;
    }
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally::default());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(source) = job.sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(source, &job, &tally);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no thread panics while counting");
    for line in &tally.slow {
        println!("interpreted: {line}");
    }
    println!(
        "{} models ({} more refused), {} states, {} left to the interpreter ({} needlessly), {} differences",
        tally.models, tally.refused, tally.states, tally.bails, tally.needless, tally.different
    );
    ExitCode::from(u8::from(tally.different > 0))
}

fn parse(mut args: impl Iterator<Item = String>) -> Option<Job> {
    let mut job = Job {
        sources: Vec::new(),
        limits: Limits { states: 20_000, time: Duration::from_secs(10) },
        size: GenerateOptions::default().size,
        verbose: false,
        print: false,
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--states" => job.limits.states = args.next()?.parse().ok()?,
            "--seconds" => job.limits.time = Duration::from_secs(args.next()?.parse().ok()?),
            "--size" => job.size = args.next()?.parse().ok()?,
            "--random" => {
                job.sources.extend(range(&args.next()?)?.map(Source::Seed));
            }
            "--verbose" => job.verbose = true,
            "--print" => job.print = true,
            path if !path.starts_with('-') => collect(Path::new(path), &mut job.sources),
            _ => return None,
        }
    }
    (!job.sources.is_empty()).then_some(job)
}

/// The models under a path, in order.
fn collect(path: &Path, sources: &mut Vec<Source>) {
    if !path.is_dir() {
        sources.push(Source::File(path.to_owned()));
        return;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let ending = path.extension().map(|e| e.to_string_lossy().into_owned());
        let may_be_model = ending
            .as_deref()
            .is_none_or(|e| ENDINGS.contains(&e) || e.starts_with(char::is_numeric));
        if path.is_dir() || may_be_model {
            collect(&path, sources);
        }
    }
}

fn run(source: &Source, job: &Job, tally: &Mutex<Tally>) {
    let name = match source {
        Source::File(path) => path.display().to_string(),
        Source::Seed(seed) => format!("seed {seed}"),
    };
    if job.verbose {
        println!("begin {name}");
    }
    let result = std::panic::catch_unwind(|| examine(source, &name, job))
        .unwrap_or_else(|_| vec![(name.clone(), Err("panic".to_owned()))]);
    let mut tally = tally.lock().expect("no thread panics while counting");
    if result.is_empty() {
        tally.refused += 1;
        return;
    }
    tally.models += 1;
    for (name, comparison) in result {
        let comparison = match comparison {
            Ok(comparison) => comparison,
            Err(reason) => {
                println!("differs: {name}: {reason}");
                tally.different += 1;
                continue;
            }
        };
        if job.verbose {
            println!("{name}: {comparison:?}");
        }
        tally.states += comparison.states;
        tally.bails += comparison.bails;
        tally.needless += comparison.needless;
        if let Some(how) = comparison.difference {
            println!("differs: {name}: {how}");
            tally.different += 1;
        }
        let (needless, states) = (comparison.needless, comparison.states);
        if needless as f64 > TOLERATED * states as f64 {
            tally.slow.push(format!("{name}: {needless} of {states} states without error"));
        }
    }
}

type Results = Vec<(String, Result<spinor_testkit::engines::Comparison, String>)>;

fn text_of(source: &Source, size: usize) -> Result<String, String> {
    match source {
        Source::File(path) => {
            let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        Source::Seed(seed) => {
            // The low bits of the seed say what else may be in the model.
            let options = GenerateOptions {
                size,
                claims: seed & 1 != 0,
                traces: seed & 2 != 0,
                runtime_errors: seed & 4 != 0,
                ..GenerateOptions::default()
            };
            Ok(generate_text(*seed, &options))
        }
    }
}

/// Compares one model, once for each claim; empty if it is no model.
fn examine(source: &Source, name: &str, job: &Job) -> Results {
    let text = match text_of(source, job.size) {
        Ok(text) => text,
        Err(reason) => return vec![(name.to_owned(), Err(reason))],
    };
    let Ok(program) = compile_with(name, &text, &preprocess_options(&text)) else {
        return Vec::new();
    };
    if !admits_all_setups(&program) {
        return Vec::new();
    }
    let mut runs = vec![(name.to_owned(), Options::default())];
    if program.trace.is_some() {
        runs.push((
            format!("{name} [no trace]"),
            Options { claim: None, no_trace: true, ..Options::default() },
        ));
    }
    for claim in 0..program.claims.len() {
        let options = Options { claim: Some(claim), ..Options::default() };
        runs.push((format!("{name} [claim {claim}]"), options));
    }
    runs.into_iter().map(|(name, options)| (name, compare(&program, options, job.limits))).collect()
}
