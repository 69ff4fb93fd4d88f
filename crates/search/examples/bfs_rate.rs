//! Speed of the breadth-first loop where successors cost next to nothing.
//!
//! `cargo run --release -p spinor-search --example bfs_rate [STORE [THREADS [STATES [STEPS]]]]`
//!
//! `STORE`: `none` (a bit per state: what is left is the loop itself), `tree`, `exact`,
//! `hash-compact`, `bitstate`, `old` (the plain search). `STEPS`: length of a move.

#![allow(clippy::print_stdout)]

use spinor_search::{SearchConfig, breadth_first, parallel_breadth_first, sample};
use spinor_store::{Bitstate, ExactStore, HashCompact, Insertion, SharedExact, Store, Tree};
use spinor_ts::{Expansion, Layout, Outcome, SilentObserver, TransitionSystem, Violation};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Eight counters of four bytes, of which a move changes one; a tree of such states
/// with as many matches as is usual.
#[derive(Clone)]
struct Counters {
    states: u64,
    steps: u32,
    next: [u8; 32],
}

impl Counters {
    fn encode(&mut self, number: u64) {
        for (index, place) in self.next.chunks_exact_mut(4).enumerate() {
            let digit = (number >> (4 * index)) & 15;
            place[0] = digit as u8;
        }
    }

    fn decode(state: &[u8]) -> u64 {
        let digit = |(index, place): (usize, &[u8])| u64::from(place[0]) << (4 * index);
        state.chunks_exact(4).enumerate().map(digit).sum()
    }
}

impl TransitionSystem for Counters {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; 32])
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        out.deepest = self.steps;
        let number = Self::decode(state);
        for index in 0..8 {
            let digit = (number >> (4 * index)) & 15;
            let other = number + (1 << (4 * index));
            if digit < 15 && other < self.states && (number >> index) & 3 != 3 {
                // As generated code does it: copied, then patched in place.
                let start = out.raw_parts().1.len();
                out.push_successor(state, self.steps);
                out.raw_parts().1[start + index * 4] += 1;
            }
        }
    }
}

/// A bit per state.
struct Bits(Vec<AtomicU64>);

impl Store for Bits {
    type Key = u32;
    type Ref = u32;
    type Local = Counters;
    type Identity = ();
    const KEY_IS_STATE: bool = true;
    const KEEPS_STATES: bool = true;

    fn name(&self) -> &'static str {
        "none"
    }

    fn local(&self) -> Counters {
        Counters { states: 0, steps: 1, next: [0; 32] }
    }

    fn set_origin(&self, _: &mut Counters, _: &[u8]) {}

    fn load(&self, local: &mut Counters, state: u32, out: &mut Vec<u8>) {
        local.encode(u64::from(state));
        out.clear();
        out.extend_from_slice(&local.next);
    }

    fn load_key(&self, local: &mut Counters, key: u32, out: &mut Vec<u8>) {
        self.load(local, key, out);
    }

    fn key(&self, _: &mut Counters, state: &[u8]) -> u32 {
        Counters::decode(state) as u32
    }

    fn insert(&self, _: &mut Counters, key: u32, _: &[u8]) -> Insertion<u32> {
        let (word, bit) = (&self.0[key as usize / 64], 1 << (key % 64));
        let old = word.load(Ordering::Relaxed);
        if old & bit != 0 || word.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            return Insertion::Known;
        }
        Insertion::New(key)
    }

    fn contains(&self, _: &mut Counters, key: u32, _: &[u8]) -> bool {
        self.0[key as usize / 64].load(Ordering::Relaxed) & (1 << (key % 64)) != 0
    }

    fn bytes_used(&self) -> u64 {
        self.0.len() as u64 * 8
    }
}

/// CPU time of this process in seconds.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = stat.rsplit(')').next().into_iter().flat_map(|rest| rest.split_whitespace());
    ticks.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let store = arguments.next().unwrap_or_else(|| "tree".to_owned());
    let mut number =
        |default: u64| arguments.next().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (threads, states, steps) = (number(1), number(3_000_000), number(1) as u32);
    let counters = Counters { states, steps, next: [0; 32] };
    let mut systems = vec![counters.clone(); threads as usize];
    let layout =
        Layout { prefix: 0, ends: (1..=8).map(|end| 4 * end).collect(), seams: Vec::new() };
    let config = SearchConfig::default();

    fn run<S: Store>(store: &S, systems: &mut [Counters], config: &SearchConfig) -> Outcome {
        parallel_breadth_first(systems, store, config, &mut SilentObserver)
    }
    // What is not the loop: every state of the search loaded and expanded.
    let start = cpu();
    let mut expansion = Expansion::new();
    let mut made = 1;
    let mut system = counters;
    for state in 0..states {
        system.encode(state);
        let state = system.next;
        system.expand(&state, &mut expansion);
        made += expansion.events().len();
    }
    let alone = (cpu() - start) / made as f64 * 1e9;

    let sampled = sample(&mut systems[0], 10_000, 10_000);
    let start = cpu();
    let outcome = match &store[..] {
        "none" => {
            let bits = Bits((0..=states / 64).map(|_| AtomicU64::new(0)).collect());
            run(&bits, &mut systems, &config)
        }
        "exact" => run(&SharedExact::new(), &mut systems, &config),
        "hash-compact" => run(&HashCompact::new(), &mut systems, &config),
        "bitstate" => run(&Bitstate::new(1 << 30, 3), &mut systems, &config),
        "old" => {
            breadth_first(&mut systems[0], &mut ExactStore::new(), &config, &mut SilentObserver)
        }
        _ => {
            let layout_of = Arc::new(move |_: &[u8]| layout.clone());
            run(&Tree::new(layout_of, &sampled), &mut systems, &config)
        }
    };
    let (seconds, stats) = (cpu() - start, &outcome.stats);
    println!(
        "{store} {threads} threads: {} states, {} transitions, depth {}: {seconds:.2} s CPU, {:.2} s, \
         {:.1} ns per transition (system alone {alone:.1}), store {:.1} bytes per state, rest {:.1}",
        stats.stored,
        stats.transitions,
        stats.depth_reached,
        stats.search_time.as_secs_f64(),
        seconds / stats.transitions as f64 * 1e9,
        stats.store_bytes as f64 / stats.stored as f64,
        (stats.peak_memory_bytes - stats.store_bytes) as f64 / stats.stored as f64,
    );
}
