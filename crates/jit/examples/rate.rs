//! How long native code and the interpreter take per event.
//!
//! `rate [--states N] [--claim N] FILE…`: expands the first states of each model, breadth
//! first, again and again and prints the best time, in CPU time of this thread.
#![allow(clippy::print_stdout, reason = "a tool that prints its results")]

#[path = "../tests/common/mod.rs"]
mod common;

use spinor_exec::{Exec, Options};
use spinor_jit::Native;
use spinor_ts::{Expansion, TransitionSystem};
use std::time::Instant;

/// How often the states are expanded.
const ROUNDS: usize = 5;

fn main() {
    let mut most = 200_000;
    let mut options = Options::default();
    let mut paths = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|n| n.parse().ok());
        match arg.as_str() {
            "--states" => most = number().unwrap_or(most),
            "--claim" => options.claim = number(),
            _ => paths.push(arg),
        }
    }
    println!(
        "{:>8} {:>9} {:>9} {:>6} {:>8} {:>8} {:>8} {:>8}  model",
        "states", "events", "atomic", "bails", "exec", "native", "per step", "compile"
    );
    for path in paths {
        if let Err(reason) = rate(&path, options, most) {
            println!("{path}: {reason}");
        }
    }
}

fn rate(path: &str, options: Options, most: usize) -> Result<(), String> {
    let text = std::fs::read(path).map_err(|e| e.to_string())?;
    let program = common::program(path, &String::from_utf8_lossy(&text))?;
    if options.claim.is_some_and(|claim| claim >= program.claims.len()) {
        return Err("no such claim".to_owned());
    }
    let begin = Instant::now();
    let native = Native::compile(program.clone(), options);
    let compile = begin.elapsed();
    let mut native = native.map_err(|e| e.to_string())?;
    let mut exec = Exec::new(program, options);
    let states = common::states(&mut native, most);
    let mut bytes = Vec::new();
    let mut ends = vec![0];
    for state in &states {
        bytes.extend_from_slice(state);
        ends.push(bytes.len());
    }
    let (before, bails_before) = native.expansions();
    let fast = measure(&mut native, &bytes, &ends, ROUNDS);
    let (after, bails) = native.expansions();
    let slow = measure(&mut exec, &bytes, &ends, 1);
    let events = fast.events.max(1);
    println!(
        "{:>8} {:>9} {:>9} {:>5}% {:>8.1} {:>8.1} {:>8.1} {:>6}ms  {path}",
        states.len(),
        fast.events,
        fast.atomic_steps,
        100 * (bails - bails_before) / (after - before).max(1),
        slow.nanoseconds as f64 / events as f64,
        fast.nanoseconds as f64 / events as f64,
        fast.nanoseconds as f64 / (events + fast.atomic_steps) as f64,
        compile.as_millis(),
    );
    Ok(())
}

/// The best of some rounds.
struct Measured {
    events: u64,
    atomic_steps: u64,
    nanoseconds: u64,
}

fn measure(
    system: &mut impl TransitionSystem,
    bytes: &[u8],
    ends: &[usize],
    rounds: usize,
) -> Measured {
    let mut out = Expansion::new();
    let mut best = Measured { events: 0, atomic_steps: 0, nanoseconds: u64::MAX };
    for _ in 0..rounds {
        let (mut events, mut atomic_steps) = (0, 0);
        let before = cpu_nanoseconds();
        for range in ends.windows(2) {
            system.expand(&bytes[range[0]..range[1]], &mut out);
            events += out.events().len() as u64;
            atomic_steps += out.atomic_steps;
        }
        let nanoseconds = (cpu_nanoseconds() - before).min(best.nanoseconds);
        best = Measured { events, atomic_steps, nanoseconds };
    }
    best
}

/// CPU time of this thread, as the scheduler counts it.
fn cpu_nanoseconds() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}
