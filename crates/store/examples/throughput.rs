//! Speed and size of the stores on states of 40 bytes, in batches as searches have them.
//!
//! `cargo run --release -p spinor-store --example throughput [millions of states] [store]`
//!
//! Times are nanoseconds per operation and thread on the processor, so a busy machine
//! matters little.

#![allow(clippy::print_stdout)]

use spinor_store::{Bitstate, ExactStore, HashCompact, Insertion, SharedExact, Store, Visited};
use std::hint::black_box;
use std::sync::{Barrier, LazyLock};
use std::thread;
use std::time::Instant;

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

const STATE: usize = 40;
const BATCH: usize = 16;
/// Look-ups are repeated until there were at least so many.
const LOOK_UPS: u64 = 2_000_000;

/// The best of so many runs counts.
const REPEATS: u32 = 3;

type State = [u8; STATE];

/// States that differ in few places, as they do.
fn state(number: u64) -> State {
    let mut state = [0; STATE];
    for (index, word) in [7, number, 0, number >> 8, 1].into_iter().enumerate() {
        state[index * 8..][..8].copy_from_slice(&word.to_le_bytes());
    }
    state
}

/// A number below `count` for each index, in disorder.
fn scattered(index: u64, count: u64) -> u64 {
    let mixed = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(mixed) * u128::from(count)) >> 64) as u64
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let millions = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10.0);
    let only = arguments.next();
    let states = ((millions * 1e6) as u64).next_multiple_of(2 * BATCH as u64);
    println!("{:14} threads    key    new  known  7/10 known  bytes per state", "store");
    if only.as_deref().is_none_or(|only| only == "sequential") {
        sequential(states);
    }
    measure(only.as_deref(), states, SharedExact::new);
    measure(only.as_deref(), states, HashCompact::new);
    let bits = (states * 64).next_power_of_two();
    measure(only.as_deref(), states, || Bitstate::new(bits, Bitstate::DEFAULT_FUNCTIONS));
}

fn measure<S: Store>(only: Option<&str>, states: u64, make: impl Fn() -> S) {
    for threads in [1, 2] {
        let mut best = [f64::INFINITY; 4];
        let mut bytes = 0.0;
        for _ in 0..REPEATS {
            let store = make();
            if only.is_some_and(|only| only != store.name()) {
                return;
            }
            let times = run(&store, threads, states, &mut bytes);
            best = std::array::from_fn(|at| best[at].min(times[at]));
        }
        let [key, new, known, mixed] = best;
        println!(
            "{:14} {threads:7} {key:6.1} {new:6.1} {known:6.1} {mixed:11.1} {bytes:16.1}",
            make().name()
        );
    }
}

/// Times per operation: making the state and its key, and with insertion of new, known and mixed states.
fn run<S: Store>(store: &S, threads: u64, states: u64, bytes: &mut f64) -> [f64; 4] {
    let insert = |numbers: &(dyn Fn(u64) -> u64 + Sync), operations: u64| {
        in_threads(threads, operations, |first, end| insert_all(store, (first..end).map(numbers)))
    };
    let (new_time, new) = insert(&|index| index, states);
    store.quiesce();
    *bytes = store.bytes_used() as f64 / states as f64;
    let look_ups = states.max(LOOK_UPS);
    let (known_time, known_new) = insert(&|index| scattered(index, states), look_ups);
    assert!(store.loss(1).is_some() || (new, known_new) == (states, 0));
    let (key_time, _) = in_threads(threads, look_ups, |first, end| {
        let mut local = store.local();
        for index in first..end {
            black_box(store.key(&mut local, &state(scattered(index, states))));
        }
        0
    });
    let mix = |index| match index % 10 {
        0..7 => scattered(index, states),
        _ => states + index / 10 * 3 + index % 10 - 7,
    };
    let (mix_time, _) = insert(&mix, states);
    [key_time, new_time, known_time, mix_time]
}

/// Shares out a range and returns nanoseconds per operation and thread, and the sum of results.
fn in_threads(threads: u64, count: u64, run: impl Fn(u64, u64) -> u64 + Sync) -> (f64, u64) {
    let start = Barrier::new(threads as usize);
    let timed = |thread: u64| {
        start.wait();
        let before = cpu_seconds();
        let result = run(count * thread / threads, count * (thread + 1) / threads);
        (cpu_seconds() - before, result)
    };
    let results: Vec<(f64, u64)> = thread::scope(|scope| {
        let timed = &timed;
        let handles: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || timed(thread))).collect();
        handles.into_iter().map(|handle| handle.join().expect("no panic")).collect()
    });
    let seconds: f64 = results.iter().map(|(seconds, _)| seconds).sum();
    (seconds / count as f64 * 1e9, results.iter().map(|(_, result)| result).sum())
}

fn insert_all<S: Store>(store: &S, mut numbers: impl Iterator<Item = u64>) -> u64 {
    let mut local = store.local();
    let mut batch: Vec<(State, S::Key)> = Vec::with_capacity(BATCH);
    let mut new = 0;
    loop {
        batch.clear();
        for number in numbers.by_ref().take(BATCH) {
            let state = state(number);
            batch.push((state, store.key(&mut local, &state)));
        }
        if batch.is_empty() {
            return new;
        }
        batch.iter().for_each(|(_, key)| store.prefetch(*key));
        for (state, key) in &batch {
            let insertion = store.insert(&mut local, *key, state);
            new += u64::from(matches!(insertion, Insertion::New(_)));
        }
    }
}

/// The set for one thread that numbers its states.
fn sequential(states: u64) {
    let mut store = ExactStore::new();
    let mut pass = |numbers: &dyn Fn(u64) -> u64, count: u64| {
        let before = cpu_seconds();
        let mut batch = [([0; STATE], 0); BATCH];
        for first in (0..count).step_by(BATCH) {
            for (index, (state, hash)) in (first..).zip(&mut batch) {
                *state = self::state(numbers(index));
                *hash = store.hash(state);
                store.prefetch(*hash);
            }
            batch.iter().for_each(|(_, hash)| store.prefetch_state(*hash));
            for (state, hash) in &batch {
                store.insert_hashed(state, *hash);
            }
        }
        ((cpu_seconds() - before) / count as f64 * 1e9, store.bytes_used() as f64 / states as f64)
    };
    let (new, bytes) = pass(&|index| index, states);
    let (known, _) = pass(&|index| scattered(index, states), states.max(LOOK_UPS));
    println!("{:14} {:7} {:6} {new:6.1} {known:6.1} {:11} {bytes:16.1}", "sequential", 1, "", "");
}

/// Time of this thread on a processor if the system tells.
fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    told.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}
