//! Measures the generator: how many models SPIN refuses, and how large they are.
//!
//! `cargo run -p spinor-testkit --example survey -- FIRST COUNT [size]`
#![allow(clippy::print_stdout, reason = "a tool")]

use std::time::Instant;

use spinor_testkit::generate::{Options, generate_text};
use spinor_testkit::spin::{Config, Oracle};

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|a| a.parse::<u64>().ok());
    let first = numbers.next().unwrap_or(0);
    let count = numbers.next().unwrap_or(100);
    let mode = std::env::args().nth(4).unwrap_or_default();
    let options = Options {
        size: numbers.next().unwrap_or(3) as usize,
        claims: mode.contains('c'),
        traces: mode.contains('t'),
        runtime_errors: mode.contains('r'),
        ..Options::default()
    };
    let config = if options.claims { Config::Claim } else { Config::Full };
    let oracle = Oracle::default();
    let mut sizes = Vec::new();
    let (mut refused, mut crashed, mut truncated) = (0, 0, 0);
    let start = Instant::now();
    for seed in first..first + count {
        let text = generate_text(seed, &options);
        let out = match oracle.check(&text, config) {
            Ok(out) => out,
            Err(e) => {
                println!("{e}");
                return;
            }
        };
        if let Some(reason) = &out.refused {
            refused += 1;
            println!("{seed}: refused: {}", reason.lines().next().unwrap_or(""));
        } else if let Some(signal) = out.crashed {
            crashed += 1;
            println!("{seed}: signal {signal}");
        } else if let Some(why) = out.truncated {
            truncated += 1;
            println!("{seed}: truncated {why:?} after {} states", out.stored);
        } else {
            if out.errors > 0 && mode.is_empty() {
                println!("{seed}: {:?}", out.messages);
            }
            sizes.push(out.stored);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    sizes.sort_unstable();
    println!("refused {refused}, crashed {crashed}, truncated {truncated} of {count}");
    for percent in [0, 10, 25, 50, 75, 90, 95, 99, 100] {
        if let Some(n) = sizes.get((sizes.len().saturating_sub(1)) * percent / 100) {
            println!("{percent:3} %: {n} states");
        }
    }
    let small = sizes.iter().filter(|&&n| n < 3000).count();
    let large = sizes.iter().filter(|&&n| n > 50_000).count();
    println!("below 3000: {small}, above 50000: {large}");
    println!("{:.3} s per run", seconds / count as f64);
}
