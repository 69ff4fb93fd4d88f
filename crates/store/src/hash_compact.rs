//! The set of hashes: 64 bits per state, whatever its size.

use crate::concurrent::Table;
use crate::hash::hash;
use crate::{Insertion, Loss, Store};
use spinor_ts::Expansion;

/// Few, for large pages.
const SEGMENTS: usize = 8;

/// A set that takes states with the same 64-bit hash for one.
#[derive(Debug)]
pub struct HashCompact {
    table: Table,
    /// Bits of the hash that count.
    bits: u32,
    seed: u64,
}

impl HashCompact {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::narrow(u64::BITS, 0)
    }

    /// One that takes states for one if `bits` bits of their hashes are equal (32 to 64), with another
    /// hash function for each seed: shows what fewer bits cost.
    #[must_use]
    pub fn narrow(bits: u32, seed: u64) -> Self {
        Self { table: Table::new(SEGMENTS), bits: bits.clamp(32, u64::BITS), seed }
    }
}

impl Default for HashCompact {
    fn default() -> Self {
        Self::new()
    }
}

impl Store for HashCompact {
    type Key = u64;
    type Ref = ();
    type Local = ();
    type Identity = ();

    const KEY_IS_STATE: bool = false;
    const KEEPS_STATES: bool = false;

    fn name(&self) -> &'static str {
        "hash-compact"
    }

    fn set_alone(&self, is_alone: bool) {
        self.table.set_alone(is_alone);
    }

    fn local(&self) {}

    #[inline]
    fn set_origin(&self, _local: &mut (), _state: &[u8]) {}

    fn load(&self, _local: &mut (), _state: (), _out: &mut Vec<u8>) {
        unreachable!("states are not kept");
    }

    fn load_key(&self, _local: &mut (), _key: u64, _out: &mut Vec<u8>) {
        unreachable!("keys are hashes");
    }

    #[inline]
    fn key(&self, _local: &mut (), state: &[u8]) -> u64 {
        // The table reserves two values; their neighbours stand in for them.
        let mut key = hash(state);
        if self.seed != 0 || self.bits != u64::BITS {
            let mixed = (key ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            key = (mixed ^ mixed >> 31).wrapping_mul(0xd6e8_feb8_6659_fd93);
            key &= u64::MAX << (u64::BITS - self.bits);
        }
        let key = key.clamp(1, u64::MAX - 1);
        self.table.prefetch((key >> 32) as u32);
        key
    }

    #[inline]
    fn insert(&self, _local: &mut (), key: u64, _state: &[u8]) -> Insertion<()> {
        if self.table.insert_key(key) { Insertion::New(()) } else { Insertion::Known }
    }

    #[inline]
    fn insert_all(
        &self,
        _local: &mut (),
        keys: &[u64],
        _successors: &Expansion,
        _hidden: usize,
        new: &mut Vec<(u32, ())>,
    ) {
        self.table.insert_keys(keys, new, |_| ());
    }

    #[inline]
    fn contains(&self, _local: &mut (), key: u64, _state: &[u8]) -> bool {
        self.table.contains_key(key)
    }

    fn quiesce(&self) {
        self.table.quiesce();
    }

    fn bytes_used(&self) -> u64 {
        self.table.bytes_used()
    }

    /// Each pair of states has the same hash with a chance of 2^-64 (or of as many bits as count).
    fn loss(&self, stored: u64) -> Option<Loss> {
        let pairs = stored as f64 * stored.saturating_sub(1) as f64 / 2.0;
        let expected_omitted = pairs / f64::from(self.bits).exp2();
        Some(Loss { expected_omitted, hidden_factor: 1.0, hash_factor: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress;

    #[test]
    fn equals_a_map() {
        stress::equals_a_map(HashCompact::new);
    }

    #[test]
    fn threads_agree() {
        stress::threads_agree(HashCompact::new);
    }

    /// Over twenty seeds, with so few bits that there is something to lose.
    #[test]
    fn loses_as_many_as_it_says() {
        const STATES: u64 = 200_000;
        let (mut omitted, mut expected) = (0.0, 0.0);
        for seed in 1..=20 {
            let store = HashCompact::narrow(32, seed);
            let mut local = ();
            let is_new = |number: &u64| {
                let key = store.key(&mut local, &number.to_le_bytes());
                store.insert(&mut local, key, &[]) == Insertion::New(())
            };
            let stored = (0..STATES).filter(is_new).count() as u64;
            omitted += (STATES - stored) as f64;
            expected += store.loss(stored).expect("it is lossy").expected_omitted;
        }
        // About 93 in all.
        assert!(omitted > expected / 2.0 && omitted < 2.0 * expected, "{omitted} {expected}");
    }

    #[test]
    fn tells_the_expected_loss() {
        let store = HashCompact::new();
        let omitted = |stored| store.loss(stored).expect("it is lossy").expected_omitted;
        assert_eq!(omitted(0), 0.0);
        assert_eq!(omitted(1), 0.0);
        assert!((omitted(1 << 32) - 0.5).abs() < 1e-6);
    }
}
