//! Speed of the searches where successors cost next to nothing.
//!
//! `cargo run --release -p spinor-search --example speed [grid|line]`

#![allow(clippy::print_stdout)]

use spinor_search::{SearchConfig, breadth_first, depth_first};
use spinor_store::ExactStore;
use spinor_ts::{Expansion, Outcome, SilentObserver, TransitionSystem, Violation};

/// Counters in the first places of a state of 40 bytes, raised one at a time.
struct Grid {
    counters: usize,
    max: u8,
    next: [u8; 40],
}

impl TransitionSystem for Grid {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; 40])
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        self.next.copy_from_slice(state);
        for index in 0..self.counters {
            let place = index * 5;
            if state[place] < self.max {
                self.next[place] += 1;
                out.push_successor(&self.next, 1);
                out.deepest = 1;
                self.next[place] -= 1;
            }
        }
    }
}

/// One long run, with a way back to the start from everywhere.
struct Line(u64);

impl TransitionSystem for Line {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; 40])
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        let mut next = [0; 40];
        let number = u64::from_le_bytes(state[..8].try_into().expect("eight bytes")) + 1;
        if number < self.0 {
            next[..8].copy_from_slice(&number.to_le_bytes());
            out.push_successor(&next, 1);
        }
        out.push_successor(&[0; 40], 1);
        out.deepest = 1;
    }
}

fn report(what: &str, outcome: &Outcome) {
    let stats = &outcome.stats;
    let seconds = stats.search_time.as_secs_f64();
    println!(
        "{what:14} {:>10} states {:>10} transitions {seconds:6.2} s  {:6.2} M transitions/s  \
         depth {}  store {} MB  rest {} MB",
        stats.stored,
        stats.transitions,
        stats.transitions as f64 / seconds / 1e6,
        stats.depth_reached,
        stats.store_bytes >> 20,
        (stats.peak_memory_bytes - stats.store_bytes) >> 20,
    );
}

fn measure<T: TransitionSystem>(what: &str, mut system: T) {
    let config = SearchConfig::default();
    let outcome = depth_first(&mut system, &mut ExactStore::new(), &config, &mut SilentObserver);
    report(&format!("{what} dfs"), &outcome);
    let outcome = breadth_first(&mut system, &mut ExactStore::new(), &config, &mut SilentObserver);
    report(&format!("{what} bfs"), &outcome);
}

fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    if which != "line" {
        measure("small grid", Grid { counters: 6, max: 6, next: [0; 40] });
        measure("large grid", Grid { counters: 7, max: 8, next: [0; 40] });
    }
    if which != "grid" {
        measure("line", Line(10_000_000));
    }
}
