//! Speed and size of the exact store on keys of 40 bytes.
//!
//! `cargo run --release -p spinor-store --example throughput [millions]`

#![allow(clippy::print_stdout)]

use spinor_store::{ExactStore, Visited};
use std::time::Instant;

const KEY: usize = 40;

/// Keys that differ in few places, as states do.
fn key(number: u64) -> [u8; KEY] {
    let mut key = [0; KEY];
    key[3..11].copy_from_slice(&number.to_le_bytes());
    key[30] = number as u8;
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
    report("match (prefetch of 8)", keys, || {
        let mut matched = 0;
        for batch in (0..keys).step_by(8) {
            let batch = (batch..batch + 8).map(|index| key(scattered(index, mask) % keys));
            let batch: [_; 8] = std::array::from_fn({
                let mut batch = batch;
                move |_| batch.next().expect("eight keys")
            });
            batch.iter().for_each(|key| store.prefetch(key));
            matched += batch.iter().filter(|key| !store.insert(*key).is_new).count();
        }
        matched
    });
    report("absent (find)", keys, || {
        (keys..2 * keys).filter(|number| store.find(&key(*number)).is_none()).count()
    });
    println!("{:.1} bytes per state", store.bytes_used() as f64 / keys as f64);
}

fn report(what: &str, count: u64, run: impl FnOnce() -> usize) -> usize {
    let start = Instant::now();
    let result = run();
    let seconds = start.elapsed().as_secs_f64();
    println!("{what:24} {:6.1} M/s", count as f64 / seconds / 1e6);
    result
}
