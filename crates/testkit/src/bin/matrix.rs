//! Compares all combinations of search, store and reduction with the plain search.
//!
//! `matrix [PATH…] [--random FROM..TO] [--dynamic FROM..TO] [--meetings FROM..TO]
//! [--stretches FROM..TO] [--numbers FROM..TO] [--stride N] [--seconds N]`
//!
//! With `--stride N` each model meets every Nth combination, the next model the next ones. Of the
//! random models, those with odd seeds have formulas, labels or claims; every other one of those
//! about one matter is given a formula here. Exit code 1 on any difference.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use spinor_testkit::generate::Options;
use spinor_testkit::generate::rng::Rng;
use spinor_testkit::golden;
use spinor_testkit::liveness::answer::read;
use spinor_testkit::matrix::{Tally, compare};
use spinor_testkit::subjects::Subjects;

struct Job {
    subjects: Subjects,
    stride: usize,
    limit: Duration,
}

fn main() -> ExitCode {
    let Some(job) = parse() else {
        println!(
            "usage: matrix [PATH…] [--random FROM..TO] [--dynamic FROM..TO] [--meetings FROM..TO] \
             [--stretches FROM..TO] [--numbers FROM..TO] [--stride N] [--seconds N]"
        );
        return ExitCode::from(2);
    };
    let sum = Mutex::new((0_u64, 0_u64, Tally::default()));
    let taste = |seed| Options {
        liveness: seed % 2 == 1,
        runtime_errors: seed % 6 == 0,
        ..Options::default()
    };
    job.subjects.for_each(taste, |at, name, text| one(at, name, text, &job, &sum));
    let (models, unusable, tally) = sum.into_inner().expect("no thread panics while counting");
    println!(
        "{models} models ({unusable} not usable), {} questions ({} violated, {} not decided in time), \
         {} answers, {} differences",
        tally.questions,
        tally.violated,
        tally.undecided,
        tally.answers,
        tally.differences.len()
    );
    ExitCode::from(u8::from(!tally.differences.is_empty()))
}

/// A formula about the two globals that the small models have.
fn formula(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut atom = || {
        let (g, value) = (rng.one_of(&["g0", "g1"]), rng.below(3));
        format!("({g} {} {value})", rng.one_of(&["==", "!="]))
    };
    let (a, b) = (atom(), atom());
    let formula = match rng.below(9) {
        0 => format!("[] <> {a}"),
        1 => format!("<> [] {a}"),
        2 => format!("[] ({a} -> <> {b})"),
        3 => format!("{a} U {b}"),
        4 => format!("<> ({a} && {b})"),
        5 => format!("[] ({a} || {b})"),
        6 => format!("([] <> {a}) -> ([] <> {b})"),
        7 => format!("[] ({a} -> X {b})"),
        _ => format!("<> ({a} && <> {b})"),
    };
    format!("ltl p {{ {formula} }}\n")
}

fn one(at: usize, name: &str, text: &str, job: &Job, sum: &Mutex<(u64, u64, Tally)>) {
    let is_small = text.starts_with("byte g0, g1;\n");
    let text = match is_small && at % 2 == 1 {
        true => &format!("{text}{}", formula(at as u64)),
        false => text,
    };
    // C code has tests of its own.
    let has_c =
        ["c_code", "c_expr", "c_decl", "c_state", "c_track"].iter().any(|c| text.contains(c));
    let Some(loaded) = read(name, text, &golden::defines(text)).ok().filter(|_| !has_c) else {
        sum.lock().expect("counting does not panic").1 += 1;
        return;
    };
    let tally = compare(&loaded, job.limit, at, job.stride);
    tally.differences.iter().for_each(|how| println!("differs: {name}: {how}"));
    let mut sum = sum.lock().expect("counting does not panic");
    sum.0 += 1;
    sum.2.questions += tally.questions;
    sum.2.violated += tally.violated;
    sum.2.undecided += tally.undecided;
    sum.2.answers += tally.answers;
    sum.2.differences.extend(tally.differences);
}

fn parse() -> Option<Job> {
    let limit = Duration::from_secs(10);
    let mut job = Job { subjects: Subjects::default(), stride: 1, limit };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--stride" => job.stride = args.next()?.parse().ok()?,
            "--seconds" => job.limit = Duration::from_secs(args.next()?.parse().ok()?),
            other => job.subjects.take(other, &mut args)?,
        }
    }
    Some(job)
}
