//! Compares searches with and without partial order reduction.
//!
//! `reduction [PATH…] [--random FROM..TO] [--dynamic FROM..TO] [--meetings FROM..TO]
//! [--stretches FROM..TO] [--numbers FROM..TO] [--size N] [--seconds N] [--megabytes N] [--print] [--verbose]`
//!
//! Both must find the same violations, each at the same statements; the reduced search must not
//! store more states. Exit code 1 on any difference.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use spinor_exec::{Options, layout_of};
use spinor_jit::{Engine, TierConfig, Tiered};
use spinor_program::Program;
use spinor_search::{SearchConfig, dive, parallel_breadth_first};
use spinor_store::{SharedExact, Store, Tree};
use spinor_stubborn::{Reduced, Visible, obstacle};
use spinor_testkit::generate::Options as GenerateOptions;
use spinor_testkit::spinor::compile_with;
use spinor_testkit::subjects::{Subjects, preprocess_options};
use spinor_ts::{Outcome, SilentObserver, TransitionSystem, Violation};

struct Job {
    subjects: Subjects,
    size: usize,
    seconds: u64,
    megabytes: u64,
    verbose: bool,
    /// Shows the text of what differs; of all models if `verbose`.
    print: bool,
}

#[derive(Default)]
struct Tally {
    compared: u64,
    left_out: u64,
    different: u64,
    full: u64,
    reduced: u64,
    /// By levels.
    guarded: u64,
    /// Sum of the logarithms of the ratios.
    ratios: f64,
}

fn main() -> ExitCode {
    let Some(job) = parse() else {
        println!(
            "usage: reduction [PATH…] [--random FROM..TO] [--dynamic FROM..TO] [--meetings FROM..TO] \
             [--stretches FROM..TO] [--numbers FROM..TO] [--size N] [--seconds N] [--megabytes N] [--print] [--verbose]"
        );
        return ExitCode::from(2);
    };
    let tally = Mutex::new(Tally::default());
    let taste = |seed| GenerateOptions {
        size: job.size,
        runtime_errors: seed % 3 == 0,
        ..GenerateOptions::default()
    };
    job.subjects.for_each(taste, |_, name, text| compare(name, text, &job, &tally));
    let tally = tally.into_inner().expect("no thread panics while counting");
    let mean = (tally.ratios / tally.compared.max(1) as f64).exp();
    println!(
        "{} models compared ({} left out), {} of {} states ({} by levels), geometric mean {mean:.3}, \
         {} different",
        tally.compared, tally.left_out, tally.reduced, tally.full, tally.guarded, tally.different
    );
    ExitCode::from(u8::from(tally.different > 0))
}

fn parse() -> Option<Job> {
    let mut job = Job {
        subjects: Subjects::default(),
        size: 3,
        seconds: 5,
        megabytes: 2048,
        verbose: false,
        print: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--print" => job.print = true,
            "--verbose" => job.verbose = true,
            "--size" => job.size = args.next()?.parse().ok()?,
            "--seconds" => job.seconds = args.next()?.parse().ok()?,
            "--megabytes" => job.megabytes = args.next()?.parse().ok()?,
            other => job.subjects.take(other, &mut args)?,
        }
    }
    Some(job)
}

fn compare(name: &str, text: &str, job: &Job, tally: &Mutex<Tally>) {
    let program = compile_with(name, text, &preprocess_options(text));
    let program = program.and_then(|p| match obstacle(&p, Options::default()) {
        None => Ok(p),
        Some(obstacle) => Err(format!("{obstacle:?}")),
    });
    let program = match program {
        Ok(program) => program,
        Err(reason) => {
            return leave_out(name, &reason, job, tally);
        }
    };
    let full = search(engine(&program, false), job);
    if !full.incomplete.is_empty() {
        return leave_out(name, "too large", job, tally);
    }
    let labelled = Options { labels: true, ..Options::default() };
    let system =
        || Reduced::new(engine(&program, true), Arc::clone(&program), labelled, Visible::default());
    let reduced = search(system(), job);
    let guarded = || system().guarded_by_search();
    let tree = || Tree::new(layout_of(&program, labelled), &[]);
    let by_levels = [
        search_levels([guarded()], &tree(), true, job),
        search_levels([guarded(), guarded()], &tree(), true, job),
        search_levels([guarded()], &tree(), false, job),
        search_levels([guarded()], &SharedExact::new(), true, job),
    ];
    if by_levels.iter().chain([&reduced]).any(|outcome| !outcome.incomplete.is_empty()) {
        return leave_out(name, "too large if reduced", job, tally);
    }
    let mut tally = tally.lock().expect("counting does not panic");
    let (all, few) = (full.stats.stored, reduced.stats.stored);
    tally.compared += 1;
    tally.full += all;
    tally.reduced += few;
    // None at all if the first state is an error.
    tally.ratios += (few.max(1) as f64 / all.max(1) as f64).ln();
    let before = tally.different;
    let (want, have) = (violations(&full), violations(&reduced));
    if want != have || few > all {
        tally.different += 1;
        println!("differs: {name}: {want:?} in {all} states, reduced {have:?} in {few}");
    }
    let guarded = by_levels.each_ref().map(|found| found.stats.stored);
    tally.guarded += guarded[0];
    let have = by_levels.each_ref().map(violations);
    if have.iter().any(|have| *have != want) || guarded.iter().any(|few| *few > all) {
        tally.different += 1;
        println!("differs: {name}: {want:?} in {all} states, by levels {have:?} in {guarded:?}");
    } else if job.verbose {
        println!("{name}: {few} of {all} states, {guarded:?} by levels");
    }
    if job.print && (job.verbose || tally.different > before) {
        println!("{text}");
    }
}

fn leave_out(name: &str, reason: &str, job: &Job, tally: &Mutex<Tally>) {
    tally.lock().expect("counting does not panic").left_out += 1;
    if job.verbose {
        println!("left out: {name}: {reason}");
    }
}

fn engine(program: &Arc<Program>, labels: bool) -> Tiered {
    let config = TierConfig { engine: Engine::Auto, ..TierConfig::default() };
    Tiered::new(Arc::clone(program), Options { labels, ..Options::default() }, config)
}

fn search(mut system: impl TransitionSystem, job: &Job) -> Outcome {
    dive(&mut system, &SharedExact::new(), &config(job), &mut SilentObserver)
}

/// By as many threads as there are systems.
fn search_levels<const N: usize>(
    mut systems: [impl TransitionSystem + Send; N],
    store: &impl Store,
    by_moves: bool,
    job: &Job,
) -> Outcome {
    let config = SearchConfig { by_moves, ..config(job) };
    parallel_breadth_first(&mut systems, store, &config, &mut SilentObserver)
}

fn config(job: &Job) -> SearchConfig {
    SearchConfig {
        max_errors: 0,
        time_limit: Some(Duration::from_secs(job.seconds)),
        memory_limit_bytes: Some(job.megabytes << 20),
        ..SearchConfig::default()
    }
}

fn violations(outcome: &Outcome) -> BTreeSet<Violation> {
    outcome.errors.iter().map(|e| e.violation).collect()
}
