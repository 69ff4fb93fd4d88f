//! How many different hashes were seen: `HyperLogLog`, for threads together.

use std::sync::atomic::{AtomicU8, Ordering};

const BITS: u32 = 14;
const REGISTERS: usize = 1 << BITS;

/// Counts different hashes, within one percent or so.
#[derive(Debug)]
pub(crate) struct Distinct(Box<[AtomicU8]>);

impl Distinct {
    pub(crate) fn new() -> Self {
        Self((0..REGISTERS).map(|_| AtomicU8::new(0)).collect())
    }

    #[inline]
    pub(crate) fn add(&self, hash: u64) {
        // Not the bits that decide about places in the store.
        let mixed = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = mixed ^ mixed >> 32;
        let register = &self.0[(mixed >> (u64::BITS - BITS)) as usize];
        let rank = (mixed << BITS | 1).leading_zeros() as u8 + 1;
        if register.load(Ordering::Relaxed) < rank {
            register.fetch_max(rank, Ordering::Relaxed);
        }
    }

    /// How many there were in one or the other.
    pub(crate) fn union(&self, other: &Distinct) -> f64 {
        let pairs = self.0.iter().zip(&other.0);
        estimate(pairs.map(|(a, b)| a.load(Ordering::Relaxed).max(b.load(Ordering::Relaxed))))
    }

    /// How many there were.
    pub(crate) fn count(&self) -> f64 {
        self.union(self)
    }
}

fn estimate(ranks: impl Iterator<Item = u8>) -> f64 {
    let size = REGISTERS as f64;
    let (mut sum, mut empty) = (0.0, 0);
    for rank in ranks {
        sum += (-f64::from(rank)).exp2();
        empty += u32::from(rank == 0);
    }
    let raw = 0.7213 / (1.0 + 1.079 / size) * size * size / sum;
    if raw < 2.5 * size && empty > 0 { size * (size / f64::from(empty)).ln() } else { raw }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_within_a_few_percent() {
        let (left, right) = (Distinct::new(), Distinct::new());
        assert_eq!(left.count(), 0.0);
        for number in 0..1_000_000_u64 {
            let hash = spinor_store::hash(&number.to_le_bytes());
            left.add(hash);
            left.add(hash);
            if number >= 500_000 {
                right.add(hash);
            }
            if number == 99 {
                assert!((left.count() - 100.0).abs() < 5.0);
            }
        }
        assert!((left.count() / 1e6 - 1.0).abs() < 0.03, "{}", left.count());
        assert!((left.union(&right) / 1e6 - 1.0).abs() < 0.03);
        assert!((right.count() / 5e5 - 1.0).abs() < 0.03);
    }
}
