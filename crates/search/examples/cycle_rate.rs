//! Speed of the searches for cycles where successors cost little.
//!
//! `cargo run --release -p spinor-search --example cycle_rate [rings|wheels|few [SEARCH]]`

#![allow(clippy::print_stdout)]

use spinor_search::{
    ExactStates, HashedMarks, KeyedStates, NumberedMarks, SearchConfig, components, dive,
    improved_nested, layout_of_copies, nested_depth_first, parallel_nested,
};
use spinor_store::{Bitstate, HashCompact, Tree};
use spinor_ts::{
    Expansion, Fairness, Label, Layout, LayoutOf, OmegaSystem, Outcome, SilentObserver,
    TransitionSystem, Violation, ViolationKind,
};
use std::sync::Arc;

/// Processes that share counters: each has a location, which goes round, and raises a
/// counter when it is round, until that is full. There is no cycle.
#[derive(Clone)]
struct Rings {
    processes: usize,
    locations: u8,
    counters: u8,
    /// Whether all states are accepting.
    is_accepting: bool,
    next: Vec<u8>,
}

impl TransitionSystem for Rings {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; self.processes + 1])
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        out.deepest = 1;
        self.next.clear();
        self.next.extend_from_slice(state);
        let next = &mut self.next;
        let shared = self.processes;
        for process in 0..self.processes {
            let at = state[process];
            next[process] = if at + 1 == self.locations { 0 } else { at + 1 };
            if at + 1 == self.locations {
                if state[shared] == self.counters {
                    next[process] = at;
                    continue;
                }
                next[shared] += 1;
            }
            out.push_successor(next, 1);
            let accepting = u32::from(self.is_accepting);
            out.labels_mut().push(Label { accepting, movers: 1 << process });
            out.enabled |= 1 << process;
            next[process] = at;
            next[shared] = state[shared];
        }
    }
}

impl OmegaSystem for Rings {
    fn acceptance_sets(&self) -> u32 {
        1
    }

    fn is_state_based(&self) -> bool {
        true
    }

    fn cycle_violation(&self) -> Violation {
        Violation { kind: ViolationKind::AcceptanceCycle, site: 0 }
    }
}

/// Counters that go round, one at a time: one large component.
#[derive(Clone)]
struct Wheels {
    counters: usize,
    max: u8,
    next: Vec<u8>,
}

impl TransitionSystem for Wheels {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; self.counters])
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        out.deepest = 1;
        self.next.clear();
        self.next.extend_from_slice(state);
        for (index, value) in state.iter().enumerate() {
            self.next[index] = if *value < self.max { value + 1 } else { 0 };
            out.push_successor(&self.next, 1);
            out.labels_mut().push(Label { accepting: 0, movers: 1 << index });
            out.enabled |= 1 << index;
            self.next[index] = *value;
        }
    }
}

impl OmegaSystem for Wheels {
    fn acceptance_sets(&self) -> u32 {
        1
    }

    fn is_state_based(&self) -> bool {
        true
    }

    fn cycle_violation(&self) -> Violation {
        Violation { kind: ViolationKind::AcceptanceCycle, site: 0 }
    }
}

/// Processor time of the main thread in seconds, where the system tells.
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
        "{what:24} {:>10} states {:>10} transitions {seconds:6.2} s ({wall:.2}) {:6.1} \
         ns/transition  depth {}  {:.1} + {:.1} bytes/state",
        stats.stored,
        stats.transitions,
        seconds * 1e9 / stats.transitions as f64,
        stats.depth_reached,
        stats.store_bytes as f64 / stats.stored as f64,
        (stats.peak_memory_bytes - stats.store_bytes) as f64 / stats.stored as f64,
    );
}

fn measure<T: OmegaSystem + Clone + Send>(what: &str, system: &T, bytes: usize, only: &str) {
    let layout = Layout { prefix: 0, ends: (1..=bytes).collect(), seams: Vec::new() };
    let layout_of: LayoutOf = Arc::new(move |_: &[u8]| layout.clone());
    let tree = || Tree::new(Arc::clone(&layout_of), &[]);
    let (config, observer) = (SearchConfig::default(), &mut SilentObserver);
    let mut system = system.clone();
    let wants = |search: &str| only.is_empty() || only == search;
    if wants("dive") {
        let store = tree();
        report(&format!("{what} dive"), || dive(&mut system, &store, &config, observer));
    }
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        let name = format!("scc-{}", fairness.name());
        if wants(&name) {
            let store = tree();
            let mut states = KeyedStates::new(&store);
            report(&format!("{what} {name}"), || {
                components(&mut system, &mut states, fairness, &config, observer)
            });
        }
    }
    if wants("scc-hash") {
        let store = HashCompact::new();
        let mut states = KeyedStates::new(&store);
        report(&format!("{what} scc-hash"), || {
            components(&mut system, &mut states, Fairness::None, &config, observer)
        });
    }
    if wants("ndfs") {
        let store = tree();
        let mut states = NumberedMarks::new(KeyedStates::new(&store));
        report(&format!("{what} ndfs"), || {
            nested_depth_first(&mut system, &mut states, Fairness::None, &config, observer)
        });
    }
    if wants("ndfs-weak") {
        let store = Tree::new(layout_of_copies(Arc::clone(&layout_of)), &[]);
        let mut states = NumberedMarks::new(KeyedStates::new(&store));
        report(&format!("{what} ndfs-weak"), || {
            nested_depth_first(&mut system, &mut states, Fairness::Weak, &config, observer)
        });
    }
    if wants("ndfs-bits") {
        let store = Bitstate::new(1 << 30, 3);
        let mut states = HashedMarks::new(&store);
        report(&format!("{what} ndfs-bits"), || {
            nested_depth_first(&mut system, &mut states, Fairness::None, &config, observer)
        });
    }
    if wants("indfs") {
        let store = tree();
        let mut states = NumberedMarks::new(KeyedStates::new(&store));
        report(&format!("{what} indfs"), || {
            improved_nested(&mut system, &mut states, Fairness::None, &config, observer)
        });
    }
    for threads in [1, 2] {
        let name = format!("cndfs-{threads}");
        if wants(&name) {
            let store = tree();
            let mut systems = vec![system.clone(); threads];
            report(&format!("{what} {name}"), || {
                parallel_nested(&mut systems, &store, Fairness::None, &config, observer)
            });
        }
    }
    if wants("scc-exact") {
        let mut states = ExactStates::new();
        report(&format!("{what} scc-exact"), || {
            components(&mut system, &mut states, Fairness::None, &config, observer)
        });
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let argument = |index: usize| arguments.get(index).map_or("", String::as_str);
    let (only, search) = (argument(1), argument(2));
    for (name, processes, is_accepting) in
        [("rings", 6, false), ("accepting", 6, true), ("few", 4, false)]
    {
        if only.is_empty() || only == name {
            let (locations, counters, next) = (8, 20, Vec::new());
            let rings = Rings { processes, locations, counters, is_accepting, next };
            measure(name, &rings, processes + 1, search);
        }
    }
    if only.is_empty() || only == "wheels" {
        measure("wheels", &Wheels { counters: 7, max: 8, next: Vec::new() }, 7, search);
    }
}
