//! How far the families that make translators explode are translated, and what
//! the last failure costs in time and memory.

#![allow(clippy::print_stdout, reason = "a program to look at numbers")]

#[path = "../tests/it/families.rs"]
mod families;

use std::time::{Duration, Instant};

use families::{FAMILIES, formula, states};
use spinor_ltl::Limits;

const SIZES: [usize; 16] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64, 128, 256, 1000];

fn main() {
    let mut worst = Duration::ZERO;
    for family in FAMILIES {
        for negated in [false, true] {
            let name = if negated { format!("!{}", family.0) } else { family.0.to_owned() };
            let mut last = String::from("none");
            let mut slowest = (Duration::ZERO, 0);
            for n in SIZES {
                let Some(formula) = formula(family, n, negated) else {
                    last.push_str(&format!("; {n}: nested too deeply"));
                    break;
                };
                let start = Instant::now();
                let found = states(&formula, &Limits::default());
                slowest = slowest.max((start.elapsed(), n));
                match found {
                    Ok((tgba, buchi)) => last = format!("{n}: {tgba} and {buchi} states"),
                    Err(error) => {
                        last.push_str(&format!("; {n}: {error}"));
                        break;
                    }
                }
            }
            worst = worst.max(slowest.0);
            println!("{name:<14} {last}; slowest {}: {:?}", slowest.1, slowest.0);
        }
    }
    println!("slowest of all: {worst:?}; {}", peak_memory());
}

/// The line of the operating system about the peak, where there is one.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or("peak memory unknown");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
