//! What the threads of a search tell each other while they work.
//!
//! Every thread counts for itself and now and then writes its counts to a gauge of
//! its own, which only the caller's thread reads.

use crate::frontier::Grain;
use crate::limits::Memory;
use crate::lineage::Blocks;
use spinor_ts::{Depth, Stats};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The figures of one thread.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) stored: u64,
    pub(crate) matched: u64,
    pub(crate) expanded: u64,
    pub(crate) passed: u64,
    pub(crate) atomic_steps: u64,
    pub(crate) depth_reached: Depth,
    pub(crate) state_bytes: u64,
    /// Memory allocated less memory freed. Modulo 2^64: what one thread allocates
    /// another one may free.
    pub(crate) memory: u64,
}

/// The figures of one thread, on cache lines that no other thread writes to.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Gauge([AtomicU64; 8]);

impl Gauge {
    #[inline]
    pub(crate) fn publish(&self, counts: &Counts) {
        let Counts { stored, matched, expanded, passed, atomic_steps, .. } = *counts;
        let Counts { depth_reached, state_bytes, memory, .. } = *counts;
        let work = [stored, matched, expanded, passed, atomic_steps];
        let sizes = [depth_reached, state_bytes, memory];
        for (place, value) in self.0.iter().zip(work.into_iter().chain(sizes)) {
            place.store(value, Ordering::Relaxed);
        }
    }

    fn read(&self) -> Counts {
        let values: [u64; 8] = std::array::from_fn(|index| self.0[index].load(Ordering::Relaxed));
        let [stored, matched, expanded, passed, atomic_steps, depth_reached, state_bytes, memory] =
            values;
        Counts {
            stored,
            matched,
            expanded,
            passed,
            atomic_steps,
            depth_reached,
            state_bytes,
            memory,
        }
    }
}

/// What all threads see.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) gauges: Vec<Gauge>,
    pub(crate) blocks: Blocks,
    pub(crate) grain: Grain,
    /// Everybody is to finish the batch at hand and leave the rest.
    pub(crate) stop: AtomicBool,
}

impl Board {
    pub(crate) fn new(threads: usize, grain: Grain) -> Self {
        let gauges = (0..threads).map(|_| Gauge::default()).collect();
        Self { gauges, blocks: Blocks::default(), grain, stop: AtomicBool::new(false) }
    }

    /// The same with one more gauge, for who is not one of the threads.
    pub(crate) fn with_another(threads: usize, grain: Grain) -> Self {
        Self::new(threads + 1, grain)
    }

    /// The gauge of who is not one of the threads.
    pub(crate) fn another(&self) -> &Gauge {
        &self.gauges[self.gauges.len() - 1]
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Enters the figures of all threads in `stats`; the memory in use.
    pub(crate) fn sum(&self, stats: &mut Stats, store_bytes: u64) -> Memory {
        let mut sum = Counts::default();
        for counts in self.gauges.iter().map(Gauge::read) {
            sum.stored += counts.stored;
            sum.matched += counts.matched;
            sum.expanded += counts.expanded;
            sum.passed += counts.passed;
            sum.atomic_steps += counts.atomic_steps;
            sum.depth_reached = sum.depth_reached.max(counts.depth_reached);
            sum.state_bytes = sum.state_bytes.max(counts.state_bytes);
            sum.memory = sum.memory.wrapping_add(counts.memory);
        }
        stats.stored = sum.stored;
        stats.matched = sum.matched;
        stats.transitions = sum.stored + sum.matched;
        stats.expanded = sum.expanded;
        stats.passed = sum.passed;
        stats.atomic_steps = sum.atomic_steps;
        stats.depth_reached = sum.depth_reached;
        stats.state_bytes = sum.state_bytes;
        // A chunk may be seen to be freed before it is seen to be allocated.
        let rest = u64::try_from(sum.memory.cast_signed()).unwrap_or(0);
        Memory { store: store_bytes, rest }
    }
}
