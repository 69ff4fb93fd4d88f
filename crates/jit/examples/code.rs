//! How long the code generator takes.
//!
//! `code FILE…`: compiles each model several times and prints transitions, the best wall
//! time, and the CPU time of all threads for one compilation.
#![allow(clippy::print_stdout, reason = "a tool that prints its results")]
#![allow(unsafe_code)]

#[path = "../tests/common/mod.rs"]
mod common;

use spinor_exec::Options;
use spinor_jit::abi::{Cx, Helpers};
use spinor_jit::{compile, no_clock, plain_thread};
use std::time::{Duration, Instant};

/// How often each model is compiled.
const ROUNDS: u32 = 5;

unsafe extern "C" fn grow(_: *mut Cx, _: usize, _: usize) -> u32 {
    1
}

unsafe extern "C" fn start(
    _: *mut Cx,
    _: *const u8,
    _: usize,
    _: u32,
    _: *const i32,
    _: i32,
    _: *mut u8,
) -> i64 {
    -1
}

fn main() {
    println!("{:>11} {:>9} {:>9} {:>9}  model", "transitions", "wall ms", "cpu ms", "cpu us/tr");
    for path in std::env::args().skip(1) {
        if let Err(reason) = measure(&path) {
            println!("{path}: {reason}");
        }
    }
}

fn measure(path: &str) -> Result<(), String> {
    let text = std::fs::read(path).map_err(|e| e.to_string())?;
    let program = common::program(path, &String::from_utf8_lossy(&text))?;
    let transitions: usize = program
        .proctypes
        .iter()
        .flat_map(|p| &p.automaton.locations)
        .map(|l| l.transitions.len())
        .sum();
    let mut best = Duration::MAX;
    let before = cpu();
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        let code =
            compile(&program, Options::default(), &Helpers { grow, start }, plain_thread, no_clock);
        best = best.min(begin.elapsed());
        code.map_err(|e| e.to_string())?;
    }
    let used = (cpu() - before) / f64::from(ROUNDS);
    let wall = best.as_secs_f64() * 1e3;
    let each = 1e3 * used / transitions.max(1) as f64;
    println!("{transitions:>11} {wall:>9.1} {used:>9.1} {each:>9.1}  {path}");
    Ok(())
}

/// CPU time of the process in milliseconds; the system counts in hundredths of a second.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0);
    10.0 * (ticks(11) + ticks(12))
}
