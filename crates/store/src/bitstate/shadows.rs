//! What is behind a state that may be missed, told from a sample.
//!
//! Who misses a state does not see what only it leads to, either: its *shadow*, the states it dominates, as every way
//! to them goes through it. How large shadows are is measured: some states, chosen by their hashes, cast one, and of
//! every arrival it is asked whether it comes from inside of a shadow or from outside ([`forest`]).
//!
//! As states are missed independently, and few of them, the states that are not met are those in the shadows of the missed ones: their
//! number is that of missed states times the mean size of shadows. What was missed already is missing as a way, too: so shadows are as large as
//! they are in the search at hand, where two missed states may together hide what none of them hides alone.
//!
//! A successor is seen twice: when its key is made its origin is known, and when it is inserted it
//! turns out whether it is new. In between lie the other successors of a batch. So each thread keeps what it has
//! seen lately ([`Trace`]): ways from shadows to states that are not known yet, and states with a way from elsewhere.
//!
//! The sample shrinks while it becomes too large, so what it costs does not depend on the number of states. Threads that arrive
//! at the same state at the same moment may not see each other; then a shadow seems larger than it is.

mod forest;

use forest::Forest;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Words of the filter.
const WORDS: usize = 1 << 10;
/// Successors that may lie between the making of a key and its insertion.
const RECENT: usize = 1024;
/// Ways out of shadows that are kept until their ends are inserted.
const PENDING: usize = 256;
/// So many states are too few to say anything.
const FEW: usize = 100;
/// Chances are averaged over about so many states: they depend on the time only, as hashes are random.
const SMOOTH: f64 = 256.0;
/// A state that is missed with less than this chance need not be in the sample: it would have no weight, and of ten thousand million
/// such states one is missed.
const NO_CHANCE: f64 = 1e-10;

/// A sample of states and their shadows.
#[derive(Debug)]
pub(super) struct Shadows {
    /// Which hashes may be in the forest, by some of their bits.
    filter: Box<[AtomicU64]>,
    forest: Mutex<Forest>,
    /// A state casts a shadow if these bits of its mixed hash are zero.
    mask: AtomicU64,
    seed: u64,
}

/// What a thread has seen lately.
#[derive(Debug)]
pub(super) struct Trace {
    /// Origins are known at all.
    has_origins: bool,
    origin: u64,
    /// The origin is in a shadow, or casts one.
    is_shaded: bool,
    /// Ways from shadows to states that were not there.
    pending: Vec<(u64, u64)>,
    /// States with a way from elsewhere, the last ones: the lower half of their hashes.
    recent: Box<[u32; RECENT]>,
    next: usize,
    /// The chance to miss a state, lately.
    chance: f64,
}

impl Trace {
    pub(super) fn new() -> Self {
        Self {
            has_origins: false,
            origin: 0,
            is_shaded: false,
            pending: Vec::new(),
            recent: Box::new([0; RECENT]),
            next: 0,
            chance: 0.0,
        }
    }

    /// Whether there are ways from shadows to states that are not inserted yet.
    #[inline]
    pub(super) fn waits(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Whether the origin is in a shadow, or casts one.
    #[inline]
    pub(super) fn is_shaded(&self) -> bool {
        self.is_shaded
    }
}

impl Shadows {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            filter: (0..WORDS).map(|_| AtomicU64::new(0)).collect(),
            forest: Mutex::default(),
            mask: AtomicU64::new(forest::FIRST_MASK),
            seed: seed | 1,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Forest> {
        self.forest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn place(&self, hash: u64) -> (&AtomicU64, u64) {
        let bits = 1 << (hash % 64) | 1 << (hash >> 6 & 63);
        (&self.filter[(hash >> 12) as usize % WORDS], bits)
    }

    /// Whether a hash may be in the forest.
    #[inline]
    fn may_hold(&self, hash: u64) -> bool {
        let (word, bits) = self.place(hash);
        word.load(Ordering::Relaxed) & bits == bits
    }

    #[inline]
    fn casts(&self, trace: &Trace, hash: u64) -> bool {
        trace.chance >= NO_CHANCE
            && forest::sample(hash, self.seed) & self.mask.load(Ordering::Relaxed) == 0
    }

    /// The keys made from now on are those of successors of this state.
    #[inline]
    pub(super) fn set_origin(&self, trace: &mut Trace, hash: u64) {
        trace.has_origins = true;
        trace.origin = hash;
        trace.is_shaded = self.holds(hash);
    }

    /// Whether a state is in a shadow, or casts one.
    #[inline]
    pub(super) fn holds(&self, hash: u64) -> bool {
        self.may_hold(hash) && self.lock().holds(hash)
    }

    /// There is a way from the origin to this state.
    #[inline]
    pub(super) fn reach(&self, trace: &mut Trace, hash: u64) {
        if trace.is_shaded {
            self.reach_from_shadow(trace, hash);
            return;
        }
        trace.recent[trace.next % RECENT] = hash as u32;
        trace.next += 1;
        if self.may_hold(hash) {
            self.lock().connect(None, hash);
        }
    }

    #[cold]
    fn reach_from_shadow(&self, trace: &mut Trace, hash: u64) {
        if !self.may_hold(hash) || !self.lock().connect(Some(trace.origin), hash) {
            if trace.pending.len() >= PENDING {
                trace.pending.drain(..PENDING / 2);
            }
            trace.pending.push((trace.origin, hash));
        }
    }

    /// A state was new, and would have been missed with some chance.
    #[inline]
    pub(super) fn found(&self, trace: &mut Trace, hash: u64, chance: f64) {
        trace.chance += (chance - trace.chance) / SMOOTH;
        if trace.waits() || self.casts(trace, hash) {
            self.enter(trace, hash);
        }
    }

    /// The same for several, with the sum of their chances. No way is [waited for](Trace::waits).
    #[inline]
    pub(super) fn found_all(
        &self,
        trace: &mut Trace,
        hashes: impl ExactSizeIterator<Item = u64>,
        chances: f64,
    ) {
        debug_assert!(!trace.waits());
        let count = hashes.len() as f64;
        if count == 0.0 {
            return;
        }
        trace.chance += (chances / count - trace.chance) * (count / SMOOTH).min(1.0);
        for hash in hashes {
            if self.casts(trace, hash) {
                self.enter(trace, hash);
            }
        }
    }

    /// A state was there.
    #[inline]
    pub(super) fn known(&self, trace: &mut Trace, hash: u64) {
        if trace.waits() {
            trace.pending.retain(|(_, to)| *to != hash);
        }
    }

    #[cold]
    fn enter(&self, trace: &mut Trace, hash: u64) {
        let mut origins = Vec::new();
        trace.pending.retain(|(from, to)| {
            if *to == hash {
                origins.push(*from);
            }
            *to != hash
        });
        let casts = self.casts(trace, hash);
        if !trace.has_origins || origins.is_empty() && !casts {
            return;
        }
        if trace.recent.contains(&(hash as u32)) {
            origins.clear();
        }
        let mut forest = self.lock();
        let weight = casts.then(|| trace.chance / (1.0 - trace.chance));
        if forest.add(hash, &origins, weight) {
            let (word, bits) = self.place(hash);
            word.fetch_or(bits, Ordering::Relaxed);
        }
        if forest.is_crowded() {
            let mask = forest.thin_out(self.seed);
            self.mask.store(mask, Ordering::Relaxed);
            // What others find meanwhile does not matter.
            self.filter.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            forest.hashes().for_each(|hash| {
                let (word, bits) = self.place(hash);
                word.fetch_or(bits, Ordering::Relaxed);
            });
        }
    }

    /// How many states are not met when one is missed, as far as the sample can tell.
    pub(super) fn mean(&self) -> Option<f64> {
        let forest = self.lock();
        (forest.casters() >= FEW).then(|| forest.mean())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Layers of states, each with ways to some states of the next layer, in batches: first the ways, then what
    /// turned out to be new.
    fn layers(next: impl Fn(u64) -> Vec<u64>, batch: usize) -> Option<f64> {
        let hash_of = |state: u64| (state + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let (shadows, mut trace) = (Shadows::new(5), Trace::new());
        let mut level: Vec<u64> = (0..200).collect();
        let mut known: std::collections::HashSet<u64> = level.iter().copied().collect();
        for _ in 0..150 {
            let mut later = Vec::new();
            for origins in level.chunks(batch) {
                let mut ends = Vec::new();
                for &origin in origins {
                    shadows.set_origin(&mut trace, hash_of(origin));
                    for end in next(origin) {
                        shadows.reach(&mut trace, hash_of(end));
                        ends.push(end);
                    }
                }
                for end in ends {
                    if known.insert(end) {
                        shadows.found(&mut trace, hash_of(end), 0.01);
                        later.push(end);
                    } else {
                        shadows.known(&mut trace, hash_of(end));
                    }
                }
            }
            level = later;
        }
        shadows.mean()
    }

    /// Every state has two ways to it, from neighbours: nothing is hidden, whichever of them are in a batch.
    #[test]
    fn ways_in_the_same_batch_are_seen() {
        let next = |state: u64| {
            let (layer, at) = (state / 200, state % 200);
            vec![(layer + 1) * 200 + at, (layer + 1) * 200 + (at + 1) % 200]
        };
        for batch in [1, 2, 16, 100] {
            assert_eq!(layers(next, batch), Some(1.0), "{batch}");
        }
    }

    /// Of two states one has a successor that nobody else leads to, and that has none.
    #[test]
    fn what_has_one_way_to_it_is_hidden() {
        let next = |state: u64| {
            let (layer, at) = (state / 400, state % 400);
            let mut ends = Vec::new();
            if at < 200 {
                ends.extend([0, 1].map(|more| (layer + 1) * 400 + (at + more) % 200));
                ends.push((layer + 1) * 400 + 200 + at);
            }
            ends
        };
        for batch in [1, 16] {
            let mean = layers(next, batch).expect("there are many");
            assert!((mean - 1.5).abs() < 0.1, "{mean}");
        }
    }

    /// As long as next to nothing is missed nobody casts a shadow, and nothing has to be followed.
    #[test]
    fn what_is_never_missed_is_not_followed() {
        let (shadows, mut trace) = (Shadows::new(5), Trace::new());
        shadows.set_origin(&mut trace, 1);
        let find = |trace: &mut Trace, chance: f64| {
            for state in 0..100_000_u64 {
                shadows.found(trace, state << 20 | state, chance);
            }
            shadows.mean()
        };
        assert_eq!(find(&mut trace, 1e-13), None);
        assert!(find(&mut trace, 1e-9).is_some());
    }

    #[test]
    fn without_origins_nothing_is_known() {
        let (shadows, mut trace) = (Shadows::new(5), Trace::new());
        (0..100_000_u64).for_each(|state| shadows.found(&mut trace, state << 20 | state, 0.01));
        assert_eq!(shadows.mean(), None);
    }
}
