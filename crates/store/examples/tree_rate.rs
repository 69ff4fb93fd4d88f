//! What a successor costs in the shared stores.
//!
//! `cargo run --release -p spinor-store --example tree_rate [million states] [leaves]`
//!
//! A walk through all states of a torus, vectors of small parts: each state has four
//! successors that differ in one or two parts. States are taken from a queue, 16 at
//! a time: load, keys of all successors, then insertions. Times are processor time per
//! successor, without the making of successors, which is measured apart.

#![allow(clippy::print_stdout)]

use spinor_store::{Insertion, SharedExact, Store, Tree};
use spinor_ts::{Layout, LayoutOf};
use std::sync::Arc;
use std::time::Instant;

const BATCH: usize = 16;
const SUCCESSORS: usize = 4;
const PART: usize = 4;

/// A torus: each part counts up to `values` and then begins again.
struct Graph {
    leaves: usize,
    values: u8,
}

impl Graph {
    /// With about as many states as wanted.
    fn new(leaves: usize, states: usize) -> Self {
        let values = (states as f64).powf(1.0 / leaves as f64).ceil();
        Self { leaves, values: values.min(255.0) as u8 }
    }

    fn initial(&self) -> Vec<u8> {
        let mut state = vec![0; 1 + PART * self.leaves];
        state[0] = self.leaves as u8;
        state
    }

    /// Successor `number` of a state: one part counts on, or two.
    #[inline]
    fn step(&self, state: &[u8], number: usize, out: &mut [u8]) {
        out.copy_from_slice(state);
        let seed = usize::from(state[1]) + usize::from(state[5]) * 3 + usize::from(state[9]);
        let first = (seed + number * 2) % self.leaves;
        self.count(&mut out[1 + first * PART..]);
        if number == 3 {
            self.count(&mut out[1 + (first + 1) % self.leaves * PART..]);
        }
    }

    #[inline]
    fn count(&self, part: &mut [u8]) {
        let value = if part[0] + 1 >= self.values { 0 } else { part[0] + 1 };
        part[..PART].copy_from_slice(&[value, value.wrapping_mul(37), 1, value & 1]);
    }
}

fn layout_of() -> LayoutOf {
    Arc::new(|state: &[u8]| Layout {
        prefix: 1,
        ends: (1..state.len()).step_by(PART).map(|at| at + PART).collect(),
    })
}

/// Processor time of this process in nanoseconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0.0)
}

fn run<S: Store>(graph: &Graph, store: &S, states: usize) {
    let mut local = store.local();
    let initial = graph.initial();
    let key = store.key(&mut local, &initial);
    let mut queue = Vec::with_capacity(2 * states);
    if let Insertion::New(first) = store.insert(&mut local, key, &initial) {
        queue.push(first);
    }
    let len = initial.len();
    let mut bytes = vec![0; len * BATCH * SUCCESSORS];
    let mut keys = Vec::with_capacity(BATCH * SUCCESSORS);
    let mut state = Vec::new();
    let (mut next, mut successors) = (0, 0);
    let start = (Instant::now(), processor_time());
    while next < queue.len() && queue.len() < 2 * states {
        let batch = next..queue.len().min(next + BATCH);
        next = batch.end;
        keys.clear();
        let mut places = bytes.chunks_mut(len);
        for at in batch {
            store.load(&mut local, queue[at], &mut state);
            for (number, place) in (0..SUCCESSORS).zip(&mut places) {
                graph.step(&state, number, place);
                keys.push(store.key(&mut local, place));
            }
        }
        for key in &keys {
            store.prefetch(*key);
        }
        for (key, place) in keys.iter().zip(bytes.chunks(len)) {
            if let Insertion::New(new) = store.insert(&mut local, *key, place) {
                queue.push(new);
            }
        }
        successors += keys.len();
        if next % (1 << 18) < BATCH {
            store.quiesce();
        }
    }
    let time = processor_time() - start.1;
    store.quiesce();
    println!(
        "{:8} {:9} states {:10} successors {:4.1} % new {:6.1} ns each ({:6.1} wall) {:5.1} bytes per state",
        store.name(),
        queue.len(),
        successors,
        100.0 * queue.len() as f64 / successors as f64,
        time / successors as f64,
        start.0.elapsed().as_nanos() as f64 / successors as f64,
        store.bytes_used() as f64 / queue.len() as f64,
    );
}

/// What the graph itself costs.
fn bare(graph: &Graph, rounds: usize) {
    let mut state = graph.initial();
    let mut places = vec![0; state.len() * SUCCESSORS];
    let start = processor_time();
    for round in 0..rounds {
        let len = state.len();
        for (number, place) in places.chunks_mut(len).enumerate() {
            graph.step(&state, number, place);
        }
        let take = round % SUCCESSORS * len;
        state.copy_from_slice(&places[take..take + len]);
    }
    let each = (processor_time() - start) / (rounds * SUCCESSORS) as f64;
    println!(
        "bare     {each:6.1} ns each, {} bytes ({})",
        state.len(),
        std::hint::black_box(state)[1]
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|text| text.parse::<usize>().ok());
    let states = arguments.next().unwrap_or(1) * 1_000_000;
    let graph = Graph::new(arguments.next().unwrap_or(6).clamp(3, 200), states);
    bare(&graph, 2_000_000);
    for _ in 0..3 {
        run(&graph, &Tree::new(layout_of(), &[]), states);
    }
    run(&graph, &SharedExact::new(), states);
}
