//! Speed of depth first where successors cost little: Peterson's algorithm for several
//! processes, by hand.
//!
//! `cargo run --release -p spinor-search --example dive_rate [small|peterson|grid|cycles [STORE]]`

#![allow(clippy::print_stdout)]

use spinor_search::{SearchConfig, depth_first, dive, parallel_breadth_first};
use spinor_store::{Bitstate, ExactStore, HashCompact, SharedExact, Store, Tree};
use spinor_ts::{Expansion, Layout, Outcome, SilentObserver, TransitionSystem, Violation};
use std::sync::Arc;

/// Per process: location, level, whom it looks at; then the victims of the levels and
/// a counter that a process may raise in its critical section.
struct Peterson {
    processes: usize,
    counter: u8,
    next: Vec<u8>,
}

impl TransitionSystem for Peterson {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; 4 * self.processes + 1])
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        out.deepest = 1;
        self.next.clear();
        self.next.extend_from_slice(state);
        let count = self.processes;
        for process in 0..count {
            let at = 3 * process;
            let [location, level, other] = [state[at], state[at + 1], state[at + 2]];
            let victim = 3 * count + usize::from(level);
            let last = (count - 1) as u8;
            let next = &mut self.next;
            match location {
                0 => next[at..at + 3].copy_from_slice(&[1, 1, 0]),
                1 => {
                    next[victim] = process as u8;
                    next[at] = 2;
                }
                2 if usize::from(other) == count => {
                    let is_in = level == last;
                    next[at] = if is_in { 3 } else { 1 };
                    next[at + 1] = level + u8::from(!is_in);
                    next[at + 2] = 0;
                }
                2 => {
                    let others = state[3 * usize::from(other) + 1];
                    let passes = usize::from(other) == process
                        || others < level
                        || state[victim] != process as u8;
                    if !passes {
                        continue;
                    }
                    next[at + 2] = other + 1;
                }
                _ => {
                    let counter = 4 * count;
                    if state[counter] < self.counter {
                        next[counter] += 1;
                        out.push_successor(next, 1);
                        next[counter] -= 1;
                    }
                    next[at] = 0;
                    next[at + 1] = 0;
                }
            }
            out.push_successor(next, 1);
            next[at..at + 3].copy_from_slice(&state[at..at + 3]);
            next[victim] = state[victim];
        }
    }
}

/// Counters that are raised one at a time, and start again or not.
struct Grid {
    counters: usize,
    max: u8,
    is_cyclic: bool,
    next: Vec<u8>,
}

impl TransitionSystem for Grid {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; self.counters])
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        out.deepest = 1;
        self.next.clear();
        self.next.extend_from_slice(state);
        for (index, value) in state.iter().enumerate().take(self.counters) {
            if *value < self.max {
                self.next[index] += 1;
            } else if self.is_cyclic {
                self.next[index] = 0;
            } else {
                continue;
            }
            out.push_successor(&self.next, 1);
            self.next[index] = state[index];
        }
    }
}

/// Processor time of this process in seconds, where the system tells.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

fn report(what: &str, search: impl FnOnce() -> Outcome) {
    let before = cpu_seconds();
    let outcome = search();
    let stats = &outcome.stats;
    let wall = stats.search_time.as_secs_f64();
    let seconds = before.zip(cpu_seconds()).map_or(wall, |(before, after)| after - before);
    println!(
        "{what:21} {:>10} states {:>10} transitions {seconds:6.2} s {:6.1} ns/transition  \
         depth {}  store {} MB  rest {} MB",
        stats.stored,
        stats.transitions,
        seconds * 1e9 / stats.transitions as f64,
        stats.depth_reached,
        stats.store_bytes >> 20,
        (stats.peak_memory_bytes - stats.store_bytes) >> 20,
    );
}

fn measure<S: Store, T: TransitionSystem>(what: &str, system: &mut T, store: &S) {
    let config = SearchConfig::default();
    let what = format!("{what} {}", store.name());
    report(&what, || dive(system, store, &config, &mut SilentObserver));
}

fn measure_all<T: TransitionSystem + Send>(
    what: &str,
    system: &mut T,
    ends: Vec<usize>,
    only: &str,
) {
    let layout = Layout { prefix: 0, ends, seams: Vec::new() };
    let of_bfs = layout.clone();
    let wants = |store: &str| only.is_empty() || only == store;
    if wants("tree") {
        measure(what, system, &Tree::new(Arc::new(move |_: &[u8]| layout.clone()), &[]));
    }
    if wants("broad") {
        let store = Tree::new(Arc::new(move |_: &[u8]| of_bfs.clone()), &[]);
        let systems = std::slice::from_mut(system);
        report(&format!("{what} breadth"), || {
            parallel_breadth_first(systems, &store, &SearchConfig::default(), &mut SilentObserver)
        });
    }
    if wants("exact") {
        measure(what, system, &SharedExact::new());
    }
    if wants("hash-compact") {
        measure(what, system, &HashCompact::new());
    }
    if wants("bitstate") {
        measure(what, system, &Bitstate::new(1 << 28, 3));
    }
    if wants("old") {
        let config = SearchConfig::default();
        report(&format!("{what} old exact"), || {
            depth_first(system, &mut ExactStore::new(), &config, &mut SilentObserver)
        });
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let argument = |index: usize| arguments.get(index).map_or("", String::as_str);
    let (only, store) = (argument(1), argument(2));
    for (what, processes) in [("small", 4), ("peterson", 5)] {
        if only.is_empty() || only == what {
            let mut system = Peterson { processes, counter: 0, next: Vec::new() };
            let frames = (1..=processes).map(|process| 3 * process);
            let ends = frames.chain([4 * processes, 4 * processes + 1]).collect();
            measure_all(what, &mut system, ends, store);
        }
    }
    for is_cyclic in [false, true] {
        let what = if is_cyclic { "cycles" } else { "grid" };
        if only.is_empty() || only == what {
            let mut system = Grid { counters: 7, max: 9, is_cyclic, next: Vec::new() };
            measure_all(what, &mut system, (1..=7).collect(), store);
        }
    }
}
