//! How long the interpreter takes per event.
//!
//! `rate [--states N] FILE…`: expands the first states of each model, breadth first, again
//! and again and prints the best time, in CPU time of this process.
#![allow(clippy::print_stdout, reason = "a tool that prints its results")]

mod common;

use spinor_exec::{Exec, Options};
use spinor_ts::{Expansion, TransitionSystem};

/// How often the states are expanded.
const ROUNDS: usize = 5;

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut most = 200_000;
    if args.first().is_some_and(|a| a == "--states") {
        most = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(most);
        args.drain(..2);
    }
    println!(
        "{:>8} {:>9} {:>9} {:>8} {:>8}  model",
        "states", "events", "atomic", "ns/event", "ns/step"
    );
    for path in args {
        let Some(program) = common::compile(&path) else {
            println!("not a model: {path}");
            continue;
        };
        let mut exec = Exec::new(program, Options::default());
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        common::breadth_first(&mut exec, |_, state, _| {
            bytes.extend_from_slice(state);
            ends.push(bytes.len());
            ends.len() <= most
        });
        let mut out = Expansion::new();
        let mut best = u64::MAX;
        let (mut events, mut steps) = (0, 0);
        for _ in 0..ROUNDS {
            (events, steps) = (0, 0);
            let before = cpu_nanoseconds();
            for range in ends.windows(2) {
                exec.expand(&bytes[range[0]..range[1]], &mut out);
                events += out.events().len() as u64;
                steps += out.atomic_steps;
            }
            best = best.min(cpu_nanoseconds() - before);
        }
        println!(
            "{:>8} {events:>9} {steps:>9} {:>8} {:>8}  {path}",
            ends.len() - 1,
            best / events.max(1),
            best / (events + steps).max(1),
        );
    }
}

/// CPU time of the main thread, as the scheduler counts it.
fn cpu_nanoseconds() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}
