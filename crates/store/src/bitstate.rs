//! Some bits per state in one array.
//!
//! A state is known if all its bits are set. Who finds some clear sets them, the last one
//! it has found clear (in the order of the hash functions) at last; the state is new
//! for the thread that has really set that one.
//!
//! # Why a state is not new for two threads
//!
//! Let A and B have found a and b to be the last clear bits of the same state, and let both
//! have set them. They cannot be the same bit. Say that a comes later in the order:
//! then B has found it set. As A has set it, B has looked after that, hence after A has seen
//! all other bits set or has set them, among them b; so B has not set b, against what
//! was said. (A bit is set with release and read with acquire, so B sees what A saw.)
//!
//! It is new for nobody only if, between the look and the setting, another state sets just
//! that bit. The chance for this is that of one bit being hit by one of the
//! insertions that run at the same time, far less than that of all bits
//! having been hit by any of those before.

#![allow(unsafe_code)]

use crate::hash::hash;
use crate::interleave::interleave;
use crate::prefetch::prefetch;
use crate::zeroed::Zeroed;
use crate::{Insertion, Loss, Store};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A set of bits that stands for a set of states.
#[derive(Debug)]
pub struct Bitstate {
    memory: Zeroed,
    bits: u64,
    functions: u32,
    /// Mixed into hashes.
    seed: u64,
    /// Of each thread: how many bits it has set.
    counts: Mutex<Vec<Arc<Count>>>,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Count(AtomicU64);

/// How many bits a thread has set.
#[derive(Debug)]
pub struct BitstateLocal(Arc<Count>);

impl Bitstate {
    /// Bits per state unless told otherwise.
    pub const DEFAULT_FUNCTIONS: u32 = 3;

    /// An empty one of `bits` bits, `functions` of them per state (1 to 64).
    #[must_use]
    pub fn new(bits: u64, functions: u32) -> Self {
        Self::seeded(bits, functions, 0)
    }

    /// The same with another hash function for each seed.
    #[must_use]
    pub fn seeded(bits: u64, functions: u32, seed: u64) -> Self {
        let words = bits.div_ceil(64).max(1);
        let bytes = usize::try_from(words * 8).unwrap_or(isize::MAX as usize);
        Self {
            memory: Zeroed::new(bytes),
            bits: words * 64,
            functions: functions.clamp(1, 64),
            seed: step(seed) & !1,
            counts: Mutex::default(),
        }
    }

    /// Number of bits that are set.
    #[must_use]
    pub fn set_bits(&self) -> u64 {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|count| count.0.load(Ordering::Relaxed)).sum()
    }

    #[inline]
    fn words(&self) -> &[AtomicU64] {
        let words = self.bits as usize / 64;
        // SAFETY: allocated for so many, aligned, zeroed, and used as atomics only.
        unsafe { std::slice::from_raw_parts(self.memory.start().cast().as_ptr(), words) }
    }

    /// Fetches what is looked at for a hash.
    #[inline]
    pub fn prefetch_hash(&self, hash: u64) {
        self.places(hash).for_each(|(word, _)| prefetch(word));
    }

    /// The words and masks of a state's bits.
    #[inline]
    fn places(&self, key: u64) -> impl Iterator<Item = (&AtomicU64, u64)> {
        let words = self.words();
        let key = if self.seed == 0 { key } else { step(key ^ self.seed) ^ (key & 1) };
        let step = step(key);
        let mut place = key;
        (0..self.functions).map(move |_| {
            // In proportion, so that any number of bits will do.
            let bit = (u128::from(place) * u128::from(self.bits)) >> 64;
            place = place.wrapping_add(step);
            (&words[(bit / 64) as usize], 1 << (bit % 64))
        })
    }
}

/// Double hashing: the distance between a state's bits. A bijection of the hash that has
/// nothing to do with the place of the first bit.
#[inline]
fn step(key: u64) -> u64 {
    let mixed = (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) | 1
}

impl Store for Bitstate {
    type Key = u64;
    type Ref = ();
    type Local = BitstateLocal;

    const KEY_IS_STATE: bool = false;
    const KEEPS_STATES: bool = false;

    fn name(&self) -> &'static str {
        "bitstate"
    }

    fn local(&self) -> BitstateLocal {
        let count = Arc::new(Count::default());
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&count));
        BitstateLocal(count)
    }

    #[inline]
    fn set_origin(&self, _local: &mut BitstateLocal, _state: &[u8]) {}

    fn load(&self, _local: &mut BitstateLocal, _state: (), _out: &mut Vec<u8>) {
        unreachable!("states are not kept");
    }

    fn load_key(&self, _local: &mut BitstateLocal, _key: u64, _out: &mut Vec<u8>) {
        unreachable!("keys are hashes");
    }

    #[inline]
    fn key(&self, _local: &mut BitstateLocal, state: &[u8]) -> u64 {
        let key = hash(state);
        self.prefetch_hash(key);
        key
    }

    #[inline]
    fn insert(&self, local: &mut BitstateLocal, key: u64, _state: &[u8]) -> Insertion<()> {
        let mut clear = 0_u64;
        for (at, (word, bit)) in self.places(key).enumerate() {
            clear |= u64::from(word.load(Ordering::Acquire) & bit == 0) << at;
        }
        if clear == 0 {
            return Insertion::Known;
        }
        let mut set = 0;
        let mut has_set_last = false;
        for (at, (word, bit)) in self.places(key).enumerate() {
            if clear >> at & 1 != 0 {
                interleave();
                has_set_last = word.fetch_or(bit, Ordering::AcqRel) & bit == 0;
                set += u64::from(has_set_last);
            }
        }
        // No one else writes to it.
        local.0.0.store(local.0.0.load(Ordering::Relaxed) + set, Ordering::Relaxed);
        if has_set_last { Insertion::New(()) } else { Insertion::Known }
    }

    #[inline]
    fn contains(&self, _local: &mut BitstateLocal, key: u64, _state: &[u8]) -> bool {
        self.places(key).all(|(word, bit)| word.load(Ordering::Acquire) & bit != 0)
    }

    fn bytes_used(&self) -> u64 {
        self.bits / 8
    }

    fn loss(&self, stored: u64) -> Option<Loss> {
        let bits = self.bits as f64;
        // A full array would have taken any number of states for known ones.
        let fill = (self.set_bits() as f64).min(bits - 0.5) / bits;
        Some(Loss {
            expected_omitted: expected_omitted(fill, self.functions, stored),
            hash_factor: Some(bits / stored.max(1) as f64),
        })
    }
}

/// How many new states were taken for known ones until `stored` states were stored and the
/// array was filled to `fill`.
///
/// When it was filled to f that happened to a state with chance p = f^k, so for one
/// that was stored p / (1 - p) were not. The share of clear bits falls exponentially.
fn expected_omitted(fill: f64, functions: u32, stored: u64) -> f64 {
    const STEPS: u32 = 1000;
    let decay = (-fill).ln_1p();
    let omitted_per_stored = |time: f64| {
        let chance = (-(decay * time).exp_m1()).powf(f64::from(functions));
        chance / (1.0 - chance)
    };
    let times = (0..STEPS).map(|step| (f64::from(step) + 0.5) / f64::from(STEPS));
    times.map(omitted_per_stored).sum::<f64>() / f64::from(STEPS) * stored as f64
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

    /// Stored states and bits set after `states` different ones.
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
        for (bits, functions, states) in
            [(1 << 20, 3, 200_000), (1_000_000, 2, 100_000), (3_000_000, 5, 300_000), (64, 1, 60)]
        {
            let store = Bitstate::new(bits, functions);
            let stored = fill(&store, states);
            let omitted = (states - stored) as f64;
            let loss = store.loss(stored).expect("it is lossy");
            let expected = loss.expected_omitted;
            let deviation = 5.0 * expected.sqrt() + 0.01 * expected;
            assert!((omitted - expected).abs() < deviation, "{omitted} {expected}");
            let set: u32 =
                store.words().iter().map(|word| word.load(Ordering::Relaxed).count_ones()).sum();
            assert_eq!(store.set_bits(), u64::from(set));
            assert_eq!(loss.hash_factor, Some(store.bits as f64 / stored as f64));
        }
    }

    #[test]
    fn a_full_array_takes_nothing() {
        let store = Bitstate::new(0, 0);
        assert_eq!(fill(&store, 10_000), 64);
        assert_eq!(store.set_bits(), 64);
        assert!(store.loss(64).expect("it is lossy").expected_omitted.is_finite());
    }
}
