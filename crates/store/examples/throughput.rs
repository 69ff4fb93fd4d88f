//! Speed and size of the exact store on keys of 40 bytes.
//!
//! `cargo run --release -p spinor-store --example throughput [millions]`

#![allow(clippy::print_stdout)]

use spinor_store::{ExactStore, Visited};
use std::sync::LazyLock;
use std::time::Instant;

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

const KEY: usize = 40;
const BATCH: usize = 16;

/// Keys that differ in few places, as states do.
fn key(number: u64) -> [u8; KEY] {
    let mut key = [0; KEY];
    for (index, word) in [7, number, 0, number >> 8, 1].into_iter().enumerate() {
        key[index * 8..][..8].copy_from_slice(&word.to_le_bytes());
    }
    key
}

/// A sequence that visits all numbers below a power of two in disorder.
fn scattered(index: u64, mask: u64) -> u64 {
    index.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask
}

fn main() {
    let millions = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10);
    let keys = millions * 1_000_000;
    let mask = u64::next_power_of_two(keys) - 1;
    let mut store = ExactStore::new();

    let insert = report("insert", keys, || {
        (0..keys).filter(|number| store.insert(&key(*number)).is_new).count()
    });
    assert_eq!(insert as u64, keys);
    report("match (scattered)", keys, || {
        (0..keys).filter(|index| !store.insert(&key(scattered(*index, mask) % keys)).is_new).count()
    });
    report("match (batches)", keys, || {
        let mut batch = [([0; KEY], 0); BATCH];
        let mut matched = 0;
        for first in (0..keys).step_by(BATCH) {
            for (index, (key, hash)) in (first..).zip(&mut batch) {
                *key = self::key(scattered(index, mask) % keys);
                *hash = store.hash(key);
                store.prefetch(*hash);
            }
            batch.iter().for_each(|(_, hash)| store.prefetch_state(*hash));
            let is_match =
                |(key, hash): &&([u8; KEY], u64)| !store.insert_hashed(key, *hash).is_new;
            matched += batch.iter().filter(is_match).count();
        }
        matched
    });
    report("absent (find)", keys, || {
        (keys..2 * keys).filter(|number| store.find(&key(*number)).is_none()).count()
    });
    println!("{:.1} bytes per state", store.bytes_used() as f64 / keys as f64);
}

fn report(what: &str, count: u64, run: impl FnOnce() -> usize) -> usize {
    let start = cpu_seconds();
    let result = run();
    let seconds = cpu_seconds() - start;
    println!("{what:24} {:6.1} M/s", count as f64 / seconds / 1e6);
    result
}

/// Time on a processor if the system tells, so that a busy machine does not matter.
fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    told.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}
