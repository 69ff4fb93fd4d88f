//! What a successor costs in the shared stores.
//!
//! `cargo run --release -p spinor-store --example tree_rate [thousand states] [leaves]`
//!
//! A walk through all states of a torus, vectors of small parts: each state has four
//! successors that differ in one or two parts. States are taken from a queue, 16 at
//! a time: load, keys of all successors, then insertions. Times are processor time per
//! successor; when all is known, it is done again part by part.

#![allow(clippy::print_stdout)]

use spinor_store::{Insertion, SharedExact, Store, Tree};
use spinor_ts::{Layout, LayoutOf};
use std::sync::Arc;

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
        Self { leaves, values: values.clamp(6.0, 255.0) as u8 }
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
        let seed = state[1..]
            .chunks(PART)
            .fold(0_usize, |seed, part| seed % 1009 * 5 + usize::from(part[0]));
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
        seams: Vec::new(),
    })
}

/// Processor time of this process in nanoseconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0.0)
}

/// What is done with each state of the queue.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Work {
    Load,
    Step,
    Key,
    Insert,
}

/// Works off the queue, to which new states are added, until it has `most` states or
/// `expanded` of them are done; returns time per successor.
fn pass<S: Store>(
    graph: &Graph,
    store: &S,
    queue: &mut Vec<S::Ref>,
    (most, expanded): (usize, &mut usize),
    work: Work,
) -> f64 {
    let mut local = store.local();
    let len = graph.initial().len();
    let mut bytes = vec![0; len * BATCH * SUCCESSORS];
    let mut keys = Vec::with_capacity(BATCH * SUCCESSORS);
    let mut state = Vec::new();
    let mut next = 0;
    let start = processor_time();
    while next < queue.len().min(*expanded) && queue.len() <= most {
        let batch = next..queue.len().min(next + BATCH).min(*expanded);
        next = batch.end;
        keys.clear();
        for (at, places) in batch.zip(bytes.chunks_mut(len * SUCCESSORS)) {
            store.load(&mut local, queue[at], &mut state);
            if work >= Work::Step {
                let places = places.chunks_mut(len).enumerate();
                places.for_each(|(number, place)| graph.step(&state, number, place));
            }
            if work >= Work::Key {
                keys.extend(places.chunks(len).map(|place| store.key(&mut local, place)));
            }
        }
        std::hint::black_box((&mut bytes, &mut keys));
        if work >= Work::Insert {
            keys.iter().for_each(|key| store.prefetch(*key));
            for (key, place) in keys.iter().zip(bytes.chunks(len)) {
                if let Insertion::New(new) = store.insert(&mut local, *key, place) {
                    queue.push(new);
                }
            }
            if next % (1 << 18) < BATCH {
                store.quiesce();
            }
        }
    }
    *expanded = next;
    (processor_time() - start) / (next * SUCCESSORS) as f64
}

fn run<S: Store>(graph: &Graph, store: &S, most: usize) {
    let mut local = store.local();
    let initial = graph.initial();
    let key = store.key(&mut local, &initial);
    let mut queue = Vec::new();
    if let Insertion::New(first) = store.insert(&mut local, key, &initial) {
        queue.push(first);
    }
    let mut expanded = usize::MAX;
    let new = pass(graph, store, &mut queue, (most, &mut expanded), Work::Insert);
    store.quiesce();
    let mut last = 0.0;
    let parts = [Work::Load, Work::Step, Work::Key, Work::Insert].map(|work| {
        let all = pass(graph, store, &mut queue, (usize::MAX, &mut expanded), work);
        let part = all - last;
        last = all;
        part
    });
    let [load, step, key, insert] = parts;
    println!(
        "{:6} {:9} states: {new:5.1} ns per successor, again {last:5.1} = load {load:4.1} + step \
         {step:4.1} + key {key:4.1} + insert {insert:4.1}; {:4.1} bytes per state",
        store.name(),
        queue.len(),
        store.bytes_used() as f64 / queue.len() as f64,
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|text| text.parse::<usize>().ok());
    let states = arguments.next().unwrap_or(1000) * 1000;
    let graph = Graph::new(arguments.next().unwrap_or(6).clamp(3, 200), states);
    for _ in 0..3 {
        run(&graph, &Tree::new(layout_of(), &[]), 2 * states);
    }
    run(&graph, &SharedExact::new(), 2 * states);
}
