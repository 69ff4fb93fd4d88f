//! Front-end fuzzing: `mutate FROM..TO DIR…` damages the models under the
//! folders and reads them. No panic, no hang: a second for one input is too long.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use spinor_syntax::{NoFiles, PreprocessOptions};
use spinor_testkit::mutate::mutate;

/// No input may take longer.
const LIMIT: Duration = Duration::from_secs(1);
/// Larger models only make the test slower.
const LARGEST: u64 = 40_000;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let range = args.next().unwrap_or_default();
    let seeds = range.split_once("..").and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let Some((from, to)): Option<(u64, u64)> = seeds else {
        println!("usage: mutate FROM..TO DIR…");
        return ExitCode::from(2);
    };
    let mut models = Vec::new();
    for dir in args {
        collect(Path::new(&dir), &mut models);
    }
    models.sort();
    let texts: Vec<String> = models
        .iter()
        .filter_map(|path| std::fs::read(path).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    if texts.is_empty() {
        println!("skipped: no models to start from");
        return ExitCode::SUCCESS;
    }
    std::panic::set_hook(Box::new(|info| println!("{info}")));
    let next = AtomicU64::new(from);
    let findings = Mutex::new(Vec::new());
    let slowest = Mutex::new((Duration::ZERO, 0));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= to {
                        return;
                    }
                    let text = damaged(seed, &texts);
                    let start = Instant::now();
                    let panicked = std::panic::catch_unwind(|| read(&text)).is_err();
                    let time = start.elapsed();
                    let mut slowest = slowest.lock().expect("nobody panics with the lock");
                    *slowest = (time, seed).max(*slowest);
                    if panicked || time > LIMIT {
                        let what = if panicked { "panic".to_owned() } else { format!("{time:?}") };
                        findings.lock().expect("nobody panics with the lock").push((seed, what));
                    }
                }
            };
            std::thread::Builder::new()
                .stack_size(256 << 20)
                .spawn_scoped(scope, work)
                .expect("a thread can be started");
        }
    });
    let findings = findings.into_inner().expect("all threads are done");
    for (seed, what) in findings.iter().take(20) {
        println!("seed {seed}: {what}");
    }
    let (time, seed) = slowest.into_inner().expect("all threads are done");
    println!("{} inputs, {} findings, slowest {time:?} (seed {seed})", to - from, findings.len());
    ExitCode::from(u8::from(!findings.is_empty()))
}

fn collect(dir: &Path, models: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for path in entries.filter_map(|e| Some(e.ok()?.path())) {
        if path.is_dir() {
            collect(&path, models);
        } else if path.extension().is_some_and(|e| e == "pml" || e == "pm")
            && path.metadata().is_ok_and(|m| m.len() <= LARGEST)
        {
            models.push(path);
        }
    }
}

/// A model after a few mutations.
fn damaged(seed: u64, texts: &[String]) -> String {
    let pick = |n: u64| &texts[(n % texts.len() as u64) as usize];
    let mut text = pick(seed).clone();
    for round in 0..1 + seed % 3 {
        text = mutate(&text, pick(seed.wrapping_mul(31) + round), seed * 4 + round);
    }
    text
}

/// The whole front end, as far as the errors let it go.
fn read(text: &str) {
    let parsed = spinor_syntax::parse("model.pml", text, &PreprocessOptions::default(), &NoFiles);
    let analysis = spinor_sema::analyze(&parsed);
    for diagnostic in parsed.diagnostics.iter().chain(&analysis.diagnostics) {
        let _ = parsed.sources.location(diagnostic.primary);
    }
    let errors = |list: &[spinor_base::Diagnostic]| list.iter().any(|d| d.is_error());
    if !errors(&parsed.diagnostics) && !errors(&analysis.diagnostics) {
        let _ = spinor_program::lower(&analysis.model);
    }
}
