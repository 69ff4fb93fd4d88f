//! Random models whose infinite runs are judged by SPIN, by Spinor in every way and by
//! brute force.
//!
//! `liveness_fuzz FROM..TO [--seconds N] [--ways usual|all|none] [--shrink] [--quiet]`
//! `liveness_fuzz --print SEED`: the model of a seed
//!
//! Exit code 1 on any difference that is not proved to be a defect of SPIN.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use spinor_testkit::generate::{Options, generate_text};
use spinor_testkit::liveness::answer::{ALL_WAYS, USUAL_WAYS, Way};
use spinor_testkit::liveness::random::{Comparison, compare_seed, compare_text};
use spinor_testkit::spin::Oracle;
use spinor_testkit::subjects::range;

struct Job {
    seeds: Range<u64>,
    deadline: Instant,
    ways: Vec<Way>,
    shrink: bool,
    quiet: bool,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--print", seed] => {
            let options = Options { liveness: true, ..Options::default() };
            println!("{}", generate_text(seed.parse().unwrap_or(0), &options));
            return ExitCode::SUCCESS;
        }
        ["--file", path] => {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            println!("{:?}", compare_text(&text, &ALL_WAYS));
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let Some(job) = parse(args.into_iter()) else {
        println!(
            "usage: liveness_fuzz FROM..TO [--seconds N] [--ways usual|all|none] [--shrink] [--quiet] \
             | --print SEED | --file MODEL"
        );
        return ExitCode::from(2);
    };
    if let Err(reason) = Oracle::is_available() {
        println!("skipped: {reason}");
        return ExitCode::SUCCESS;
    }
    let tally = run(&job);
    tally.print(&job);
    ExitCode::from(u8::from(tally.differ > 0))
}

fn parse(mut args: impl Iterator<Item = String>) -> Option<Job> {
    let seeds = range(&args.next()?)?;
    let mut job = Job {
        seeds,
        deadline: Instant::now() + Duration::from_secs(1 << 30),
        ways: USUAL_WAYS.to_vec(),
        shrink: false,
        quiet: false,
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => {
                job.deadline = Instant::now() + Duration::from_secs(args.next()?.parse().ok()?);
            }
            "--ways" => match args.next()?.as_str() {
                "usual" => {}
                "all" => job.ways = ALL_WAYS.to_vec(),
                // SPIN and brute force only.
                "none" => job.ways.clear(),
                _ => return None,
            },
            "--shrink" => job.shrink = true,
            "--quiet" => job.quiet = true,
            _ => return None,
        }
    }
    Some(job)
}

#[derive(Default)]
struct Tally {
    models: u64,
    questions: u64,
    violated: u64,
    proved: u64,
    defects: u64,
    skipped: BTreeMap<&'static str, u64>,
    differ: u64,
}

fn run(job: &Job) -> Tally {
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
                    let compare = || compare_seed(seed, &job.ways, job.shrink);
                    let comparison = std::panic::catch_unwind(compare)
                        .unwrap_or_else(|_| Comparison::Differ("panic".to_owned()));
                    let mut tally = tally.lock().expect("no thread panics while counting");
                    tally.add(seed, comparison, job.quiet);
                }
            });
        }
    });
    tally.into_inner().expect("all threads are done")
}

impl Tally {
    fn add(&mut self, seed: u64, comparison: Comparison, quiet: bool) {
        match comparison {
            Comparison::Agree { questions, violated, proved, defects } => {
                self.models += 1;
                self.questions += questions;
                self.violated += violated;
                self.proved += proved;
                self.defects += defects.len() as u64;
                for defect in defects.iter().filter(|_| !quiet) {
                    println!("seed {seed}: proved defect of SPIN: {defect}");
                }
            }
            Comparison::Skipped(reason) => *self.skipped.entry(reason).or_default() += 1,
            Comparison::Differ(how) => {
                self.models += 1;
                self.differ += 1;
                println!("seed {seed}: {how}\n");
            }
        }
    }

    fn print(&self, job: &Job) {
        for (reason, count) in &self.skipped {
            println!("skipped: {count} models: {reason}");
        }
        let Tally { models, questions, violated, proved, defects, differ, .. } = self;
        println!(
            "{models} models, {questions} questions ({violated} violated), {proved} answers \
             proved by brute force, {defects} proved defects of SPIN, {differ} differences"
        );
        let done = models + self.skipped.values().sum::<u64>();
        if done < job.seeds.end - job.seeds.start {
            println!("time is up before the last seed");
        }
    }
}
