//! Some bits per state in one array.
//!
//! A hash chooses a line of the cache, 512 bits, and is kept there: as it is while the line holds few
//! hashes, less and less of it while it holds more, and at last as some bits that are set, as in any Bloom
//! filter ([`line`]). So an access is one to memory where a filter over the whole array needs one per
//! bit, and as long as there are thirty bits for each state next to nothing is missed: a hundred times less than by a
//! filter with three bits per state.
//!
//! Once most lines are filters they are a little worse than a filter over the whole array, because some get more
//! than their share: with about eight bits for each state that has used up what was gained before.
//!
//! # What is missed
//!
//! When a state is stored its line tells with which chance p a new state would have been taken for a known
//! one. Hashes are as good as random, so for one that was stored p / (1 - p) were not: the sum of these
//! is what is expected to have been missed. How much is hidden behind each is told from a sample: from [`shadows`], or, if
//! nobody says what leads to what, from [`arrivals`].

#![allow(unsafe_code)]

mod arrivals;
mod line;
mod shadows;
mod words;

use crate::hash::hash;
use crate::prefetch::prefetch;
use crate::zeroed::Zeroed;
use crate::{Insertion, Loss, Store};
use arrivals::Arrivals;
use line::{Added, BITS, FILTER, Line};
use shadows::{Shadows, Trace};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A set of bits that stands for a set of states.
#[derive(Debug)]
pub struct Bitstate {
    memory: Zeroed,
    lines: u64,
    functions: u32,
    /// Mixed into hashes.
    seed: u64,
    /// By the number of bits that are set in a filter: the chance that it takes a new state for a known one.
    chances: Box<[f64]>,
    /// A sample of arrivals.
    arrivals: Arrivals,
    /// A sample of what lies behind states.
    shadows: Shadows,
    /// One thread has it for itself.
    is_alone: AtomicBool,
    /// It matters what was missed.
    has_missed: AtomicBool,
    /// What each thread expects to have missed.
    losses: Mutex<Vec<Arc<Missed>>>,
}

/// A number as bits.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Missed(AtomicU64);

impl Missed {
    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// To be called by one thread only.
    fn add(&self, more: f64) {
        self.0.store((self.get() + more).to_bits(), Ordering::Relaxed);
    }
}

/// What a thread has of its own.
#[derive(Debug)]
pub struct BitstateLocal {
    /// How many states it expects to have missed.
    missed: Arc<Missed>,
    trace: Trace,
}

impl Bitstate {
    /// Bits per state, where bits are set, unless told otherwise.
    pub const DEFAULT_FUNCTIONS: u32 = 3;

    /// An empty one of `bits` bits, of which crowded lines set `functions` per state (1 to 64).
    #[must_use]
    pub fn new(bits: u64, functions: u32) -> Self {
        Self::seeded(bits, functions, 0)
    }

    /// The same with another hash function for each seed.
    #[must_use]
    pub fn seeded(bits: u64, functions: u32, seed: u64) -> Self {
        let lines = bits.div_ceil(BITS).max(1);
        let bytes = usize::try_from(lines * BITS / 8).unwrap_or(isize::MAX as usize);
        let functions = functions.clamp(1, 64);
        Self {
            memory: Zeroed::new(bytes),
            lines,
            functions,
            seed: mix(seed),
            chances: (0..=FILTER).map(|set| line::chance(set, functions)).collect(),
            arrivals: Arrivals::default(),
            shadows: Shadows::new(mix(seed)),
            is_alone: AtomicBool::new(false),
            has_missed: AtomicBool::new(false),
            losses: Mutex::default(),
        }
    }

    /// Fetches what is looked at for a hash.
    #[inline]
    pub fn prefetch_hash(&self, hash: u64) {
        prefetch(self.line(hash).0);
    }

    /// Adds a hash; whether it was not there.
    #[inline]
    fn add(&self, local: &mut BitstateLocal, key: u64) -> bool {
        let (line, hash) = self.line(key);
        let Added::New(chance) = line.add(hash, self.functions) else {
            self.shadows.known(&mut local.trace, key);
            return false;
        };
        let chance = self.chance(chance);
        local.missed.add(chance / (1.0 - chance));
        self.shadows.found(&mut local.trace, key, chance);
        true
    }

    /// The line of a hash, and the part of it that says nothing of which line it is.
    #[inline]
    fn line(&self, hash: u64) -> (&Line, u64) {
        let hash = if self.seed == 0 { hash } else { mix(hash ^ self.seed) };
        // In proportion, so that any number of lines will do.
        let wide = u128::from(hash) * u128::from(self.lines);
        let at = (wide >> 64) as usize;
        // SAFETY: allocated for so many lines, aligned, zeroed, and used as atomics only; a
        // fraction of their number is less than it.
        (unsafe { self.memory.start().cast::<Line>().add(at).as_ref() }, wide as u64)
    }
}

/// A bijection that keeps zero.
#[inline]
fn mix(key: u64) -> u64 {
    let mixed = (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}

impl Store for Bitstate {
    type Key = u64;
    type Ref = ();
    type Local = BitstateLocal;
    type Identity = ();

    const KEY_IS_STATE: bool = false;
    const KEEPS_STATES: bool = false;

    fn name(&self) -> &'static str {
        "bitstate"
    }

    fn local(&self) -> BitstateLocal {
        let missed = Arc::new(Missed::default());
        self.losses.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&missed));
        BitstateLocal { missed, trace: Trace::new() }
    }

    #[inline]
    fn set_origin(&self, local: &mut BitstateLocal, state: &[u8]) {
        self.shadows.set_origin(&mut local.trace, hash(state));
    }

    #[inline]
    fn set_origin_keyed(&self, local: &mut BitstateLocal, key: u64, _state: &[u8]) {
        self.shadows.set_origin(&mut local.trace, key);
    }

    fn load(&self, _local: &mut BitstateLocal, _state: (), _out: &mut Vec<u8>) {
        unreachable!("states are not kept");
    }

    fn load_key(&self, _local: &mut BitstateLocal, _key: u64, _out: &mut Vec<u8>) {
        unreachable!("keys are hashes");
    }

    #[inline]
    fn key(&self, local: &mut BitstateLocal, state: &[u8]) -> u64 {
        let key = hash(state);
        self.prefetch_hash(key);
        self.shadows.reach(&mut local.trace, key);
        key
    }

    #[inline]
    fn insert(&self, local: &mut BitstateLocal, key: u64, _state: &[u8]) -> Insertion<()> {
        self.arrivals.note(key);
        if self.add(local, key) { Insertion::New(()) } else { Insertion::Known }
    }

    #[inline]
    fn contains(&self, _local: &mut BitstateLocal, key: u64, _state: &[u8]) -> bool {
        let (line, hash) = self.line(key);
        line.holds(hash, self.functions)
    }

    fn bytes_used(&self) -> u64 {
        self.lines * BITS / 8
    }

    fn loss(&self, stored: u64) -> Option<Loss> {
        let losses = self.losses.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Loss {
            expected_omitted: losses.iter().map(|missed| missed.get()).sum(),
            hidden_factor: self.shadows.mean().unwrap_or_else(|| self.arrivals.hidden_factor()),
            hash_factor: Some((self.lines * BITS) as f64 / stored.max(1) as f64),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress;

    #[test]
    fn equals_a_map() {
        stress::equals_a_map(|| Bitstate::new(1 << 28, 5));
    }

    #[test]
    fn threads_agree() {
        stress::threads_agree(|| Bitstate::new(1 << 26, 3));
    }

    /// All in a few lines, which become filters meanwhile.
    #[test]
    fn threads_agree_in_crowded_lines() {
        stress::threads_agree(|| Bitstate::new(1 << 14, 12));
    }

    /// How many of so many different states are stored.
    fn fill(store: &Bitstate, states: u64) -> u64 {
        let mut local = store.local();
        let is_new = |state: &u64| {
            let key = store.key(&mut local, &state.to_le_bytes());
            let is_known = store.contains(&mut local, key, &[]);
            let is_new = store.insert(&mut local, key, &[]) == Insertion::New(());
            assert!(is_new != is_known);
            assert!(store.contains(&mut local, key, &[]));
            is_new
        };
        (0..states).filter(is_new).count() as u64
    }

    #[test]
    fn loses_as_many_as_it_says() {
        for (bits, functions, states) in [
            (1 << 20, 3, 200_000),
            (1_000_000, 2, 100_000),
            (3_000_000, 5, 300_000),
            (1 << 20, 1, 60_000),
            (64, 1, 60),
        ] {
            for seed in [0, 1, 77] {
                let store = Bitstate::seeded(bits, functions, seed);
                let stored = fill(&store, states);
                let omitted = (states - stored) as f64;
                let loss = store.loss(stored).expect("it is lossy");
                let expected = loss.expected_omitted;
                let deviation = 5.0 * expected.sqrt() + 0.02 * expected;
                assert!((omitted - expected).abs() < deviation, "{omitted} {expected}");
                assert_eq!(loss.hash_factor, Some(8.0 * store.bytes_used() as f64 / stored as f64));
            }
        }
    }

    /// What a filter over the whole array would lose: after i states a share of 1 - e^(-ki/m) of its bits is set.
    fn filter_loses(bits: f64, functions: f64, states: u64) -> f64 {
        let chance = |at: u64| (-(-functions * at as f64 / bits).exp_m1()).powf(functions);
        (0..states).map(chance).sum()
    }

    /// Much less as long as there is room, and about as many when there is not.
    #[test]
    fn loses_no_more_than_a_filter_would() {
        for (per_state, at_most) in [(80, 0.0), (40, 0.05), (20, 0.2), (10, 1.1), (5, 1.1)] {
            let (bits, functions) = (1 << 23, 3);
            let states = bits / per_state;
            let omitted = states - fill(&Bitstate::new(bits, functions), states);
            let expected = filter_loses(bits as f64, f64::from(functions), states);
            assert!(omitted as f64 <= at_most * expected, "{per_state}: {omitted} {expected}");
        }
    }

    #[test]
    fn a_full_array_takes_nothing() {
        let store = Bitstate::new(0, 0);
        let stored = fill(&store, 10_000);
        assert!((100..600).contains(&stored), "{stored}");
        assert!(store.loss(stored).expect("it is lossy").expected_omitted.is_finite());
    }
}
