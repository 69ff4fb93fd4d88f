//! State-space caching: depth first with a bounded memory of what was searched.
//!
//! The states of the current run are all remembered, so cycles are cut and the search ends. Of
//! those that were left, as many are kept as fit; which ones have to go is decided by
//! chance. A state that was forgotten is searched again when it is met again: that costs time, but
//! nothing is missed, as whatever was entered had all its successors entered. P. Godefroid,
//! G. J. Holzmann, D. Pirottin, "State-space caching revisited" (1995).

use crate::SearchConfig;
use crate::closed::{Arrival, Closed, Handle};
use crate::descent::descend;
use crate::run::Run;
use crate::sample::Random;
use crate::stateless::RunStates;
use hashbrown::HashTable;
use spinor_store::hash;
use spinor_ts::{Depth, Observer, Outcome, TransitionSystem};

/// Memory of an entry beside its state, about.
const ENTRY_BYTES: usize = 48;

/// Searches depth first and remembers, beside the states of the current run, as many as fit into
/// `cache_bytes`.
///
/// Figures as those of [`stateless`](crate::stateless): `matched` are arrivals at a state that is
/// remembered.
pub fn cached<T: TransitionSystem>(
    system: &mut T,
    cache_bytes: u64,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let cache = Cache {
        entries: Vec::new(),
        by_key: HashTable::new(),
        bytes: 0,
        limit: usize::try_from(cache_bytes).unwrap_or(usize::MAX),
        random: Random::new(1),
    };
    let is_bounded = config.is_bounded();
    let closed = CachedStates { run: RunStates::default(), depths: Vec::new(), is_bounded, cache };
    descend(system, closed, config, observer)
}

struct CachedStates {
    run: RunStates,
    /// Of the states of the run.
    depths: Vec<Depth>,
    /// Whether depths matter.
    is_bounded: bool,
    cache: Cache,
}

/// States that were left.
struct Cache {
    entries: Vec<Entry>,
    by_key: HashTable<u32>,
    bytes: usize,
    limit: usize,
    random: Random,
}

struct Entry {
    key: Box<[u8]>,
    /// Where it was searched: under a bound, no deeper than it is met again.
    depth: Depth,
}

impl Cache {
    fn depth(&self, key: &[u8], hash: u64) -> Option<Depth> {
        let number =
            self.by_key.find(hash, |number| *self.entries[*number as usize].key == *key)?;
        Some(self.entries[*number as usize].depth)
    }

    fn add(&mut self, key: &[u8], hash: u64, depth: Depth) {
        if let Some(number) =
            self.by_key.find(hash, |number| *self.entries[*number as usize].key == *key)
        {
            let known = &mut self.entries[*number as usize].depth;
            *known = depth.min(*known);
            return;
        }
        let needed = key.len() + ENTRY_BYTES;
        while self.bytes + needed > self.limit {
            if self.entries.is_empty() {
                return;
            }
            self.forget_one();
        }
        self.bytes += needed;
        let number = self.entries.len() as u32;
        self.entries.push(Entry { key: key.into(), depth });
        let entries = &self.entries;
        let rehash = |number: &u32| spinor_store::hash(&entries[*number as usize].key);
        self.by_key.insert_unique(hash, number, rehash);
    }

    fn forget_one(&mut self) {
        let number = self.random.below(self.entries.len());
        let last = self.entries.len() - 1;
        self.unlist(number);
        let gone = self.entries.swap_remove(number);
        self.bytes -= gone.key.len() + ENTRY_BYTES;
        if number != last {
            let moved = hash(&self.entries[number].key);
            if let Some(place) = self.by_key.find_mut(moved, |other| *other as usize == last) {
                *place = number as u32;
            }
        }
    }

    fn unlist(&mut self, number: usize) {
        let hash = hash(&self.entries[number].key);
        if let Ok(entry) = self.by_key.find_entry(hash, |other| *other as usize == number) {
            entry.remove();
        }
    }

    fn bytes_used(&self) -> u64 {
        let entries = self.entries.capacity() * size_of::<Entry>();
        let keys = self.bytes.saturating_sub(self.entries.len() * ENTRY_BYTES);
        (entries + keys + self.by_key.allocation_size()) as u64
    }
}

impl Closed for CachedStates {
    const STORES: bool = false;

    fn hash(&self, key: &[u8]) -> u64 {
        hash(key)
    }

    fn arrive(&mut self, key: &[u8], hash: u64, depth: Depth) -> Arrival {
        let known = self.cache.depth(key, hash);
        if known.is_some_and(|known| !self.is_bounded || known <= depth) {
            return Arrival::Known;
        }
        let arrival = self.run.arrive(key, hash, depth);
        if let Arrival::New(_) = arrival {
            self.depths.push(depth);
        }
        arrival
    }

    fn leave(&mut self) {
        if let Some(depth) = self.depths.pop() {
            let key = self.run.last();
            self.cache.add(key, hash(key), depth);
        }
        self.run.leave();
    }

    fn state(&self, handle: Handle, out: &mut Vec<u8>) {
        self.run.state(handle, out);
    }

    fn cut_successor(&mut self, from: Handle, key: &[u8]) {
        self.run.cut_successor(from, key);
    }

    fn cut_violation(&mut self, from: Handle) {
        self.run.cut_violation(from);
    }

    fn is_cut<T: TransitionSystem>(&self, system: &mut T, run: &Run, stopped: bool) -> bool {
        self.run.is_cut(system, run, stopped)
    }

    fn is_full(&self) -> bool {
        self.run.is_full() || self.cache.entries.len() > u32::MAX as usize / 2
    }

    fn bytes_used(&self) -> (u64, u64) {
        let (_, run) = self.run.bytes_used();
        (self.cache.bytes_used(), run + self.depths.capacity() as u64 * 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depth_first;
    use crate::toy::{Graph, Grid, replay, violations};
    use spinor_store::ExactStore;
    use spinor_ts::{SilentObserver, Verdict};

    /// Whatever the size of the cache, all violations are found.
    #[test]
    fn finds_what_a_full_search_finds() {
        for seed in 0..100 {
            let mut random = fastrand::Rng::with_seed(seed);
            let states = random.u32(2..18);
            let mut graph = Graph::random(&mut random, states, 3);
            let max_depth = random.bool().then(|| random.u64(..20));
            let config = SearchConfig { max_errors: 0, max_depth, ..SearchConfig::default() };
            let silent = &mut SilentObserver;
            let full = depth_first(&mut graph, &mut ExactStore::new(), &config, silent);
            for bytes in [0, 200, 1_000, 1 << 20] {
                let outcome = cached(&mut graph, bytes, &config, silent);
                assert_eq!(violations(&outcome.errors), violations(&full.errors), "seed {seed}");
                outcome.errors.iter().for_each(|error| replay(&mut graph, error));
                if max_depth.is_none() {
                    assert_eq!(outcome.verdict(), full.verdict());
                }
            }
        }
    }

    #[test]
    fn a_small_cache_costs_time_and_saves_memory() {
        let mut grid = Grid { counters: 4, max: 4 };
        let config = SearchConfig::default();
        let mut run = |bytes| cached(&mut grid, bytes, &config, &mut SilentObserver);
        let (large, small) = (run(1 << 20), run(8_000));
        assert_eq!((large.verdict(), large.stats.expanded), (Verdict::Holds, 625));
        assert!(small.stats.expanded > 1000 && small.verdict() == Verdict::Holds);
        assert!(small.stats.store_bytes < 24_000, "{}", small.stats.store_bytes);
    }
}
