//! What the machine's memory gives at best: nanoseconds per random access.
//!
//! `cargo run --release -p spinor-store --example memory_limit [--json] [--quick]`
//!
//! - *chase*: each address comes from the access before, so they wait one after the other;
//! - *batch*: 16 independent lines are prefetched, then read;
//! - *update*: the same, and an entry of each line is changed.
//!
//! In large pages if the system gives them. Time on the processor; the best of three runs counts.

#![allow(clippy::print_stdout)]
#![allow(unsafe_code)]

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

const SIZES: [usize; 3] = [32 << 20, 256 << 20, 2 << 30];
const QUICK: [usize; 2] = [1 << 20, 32 << 20];
const BATCH: usize = 16;
const ACCESSES: u64 = 4_000_000;
const REPEATS: u32 = 3;
const PAGE: usize = 2 << 20;
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// A line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([u64; 8]);

struct Row {
    bytes: usize,
    chase: f64,
    batch: f64,
    update: f64,
}

fn main() {
    let has = |option: &str| std::env::args().skip(1).any(|argument| argument == option);
    let sizes: &[usize] = if has("--quick") { &QUICK } else { &SIZES };
    let rows: Vec<Row> = sizes.iter().map(|bytes| measure(*bytes)).collect();
    if has("--json") {
        let row = |Row { bytes, chase, batch, update }: &Row| {
            format!(
                "{{\"bytes\": {bytes}, \"chase_ns\": {chase:.1}, \
                 \"batch_ns\": {batch:.1}, \"update_ns\": {update:.1}}}"
            )
        };
        println!("[{}]", rows.iter().map(row).collect::<Vec<_>>().join(",\n "));
        return;
    }
    println!(
        "{:>8} {:>12} {:>12} {:>12}   (ns, millions per second)",
        "MB", "chase", "batch", "update"
    );
    for Row { bytes, chase, batch, update } in rows {
        let cell = |time: f64| format!("{time:6.1} {:5.0}", 1e3 / time);
        let [chase, batch, update] = [chase, batch, update].map(cell);
        println!("{:8} {chase} {batch} {update}", bytes >> 20);
    }
}

fn measure(bytes: usize) -> Row {
    let mut memory = memory(bytes);
    let lines = memory.len();
    let [mut chase, mut batch, mut update] = [f64::INFINITY; 3];
    for _ in 0..REPEATS {
        chase = chase.min(time(ACCESSES / 4, || {
            let mut place = 1;
            for step in 0..ACCESSES / 4 {
                // What is read decides, though it does not change the sequence's disorder.
                place = scattered(step ^ memory[place].0[0], lines);
            }
            place as u64
        }));
        batch = batch.min(time(ACCESSES, || {
            in_batches(lines, |places| {
                places.iter().for_each(|place| prefetch(&memory[*place]));
                places.iter().map(|place| memory[*place].0[*place % 8]).sum()
            })
        }));
        update = update.min(time(ACCESSES, || {
            in_batches(lines, |places| {
                places.iter().for_each(|place| prefetch(&memory[*place]));
                places.iter().for_each(|place| memory[*place].0[*place % 8] ^= 1);
                0
            })
        }));
    }
    Row { bytes, chase, batch, update }
}

fn in_batches(lines: usize, mut access: impl FnMut(&[usize; BATCH]) -> u64) -> u64 {
    let batches = ACCESSES / BATCH as u64;
    let places =
        |batch| std::array::from_fn(|at| scattered(batch * BATCH as u64 + at as u64, lines));
    (0..batches).map(|batch| access(&places(batch))).fold(0, u64::wrapping_add)
}

/// A place below `count` that nothing foresees.
fn scattered(number: u64, count: usize) -> usize {
    let mixed = (number ^ number >> 31).wrapping_mul(MIX);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(MIX);
    ((u128::from(mixed) * count as u128) >> 64) as usize
}

/// Nanoseconds per access.
fn time(accesses: u64, run: impl FnOnce() -> u64) -> f64 {
    let before = cpu_seconds();
    black_box(run());
    (cpu_seconds() - before) / accesses as f64 * 1e9
}

/// Memory that has been touched, in large pages.
fn memory(bytes: usize) -> Vec<Line> {
    let mut lines = Vec::with_capacity(bytes / size_of::<Line>());
    advise(&lines);
    let filling = |at: usize| Line([at as u64 & 1; 8]);
    lines.extend((0..bytes / size_of::<Line>()).map(filling));
    lines
}

#[cfg(target_os = "linux")]
fn advise(lines: &Vec<Line>) {
    let start = lines.as_ptr().addr().next_multiple_of(PAGE);
    let end = (lines.as_ptr().addr() + lines.capacity() * size_of::<Line>()) / PAGE * PAGE;
    if start < end {
        let address = lines.as_ptr().with_addr(start).cast_mut().cast();
        // SAFETY: the range lies within the allocation, and advice changes no contents.
        unsafe { libc::madvise(address, end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_lines: &Vec<Line>) {}

fn prefetch(line: &Line) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on the caches.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

/// Time of this thread on a processor if the system tells.
fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    told.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}
