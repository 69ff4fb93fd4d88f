//! What some processors can do with words in one instruction or two.

#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::arch::x86_64::{
    _mm256_and_si256, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_loadu_si256,
    _mm256_movemask_pd, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256,
};

/// Words that are looked at at once.
pub(super) const LANES: usize = 4;

/// A way to do it.
pub(super) trait Extract {
    /// The bits of `word` that `mask` has, moved together at the low end.
    fn extract(word: u64, mask: u64) -> u64;

    /// A bit for each place where neither `first` and `a` nor `second` and `b` have a bit in common.
    fn disjoint(first: &[u64; LANES], second: &[u64; LANES], a: u64, b: u64) -> u32;

    /// The same for the first `count` places or some more, but not for the first [`LANES`], whose bits are not set.
    fn disjoint_behind(first: &[u64], second: &[u64], count: usize, with: [u64; 2]) -> u32;

    /// Does some work in a function of its own: where a loop needs all registers.
    fn apart<W: Work>(work: W) -> W::Output;
}

/// Something that is done in either way.
pub(super) trait Work {
    /// What comes of it.
    type Output;

    /// Does it. Has to be inlined, for instructions that not every processor has.
    fn run<E: Extract>(self) -> Self::Output;
}

/// Bit by bit.
#[derive(Debug)]
pub(super) struct Plain;

impl Extract for Plain {
    #[inline]
    fn extract(word: u64, mask: u64) -> u64 {
        let (mut left, mut bits, mut at) = (mask, 0, 0);
        while left != 0 {
            bits |= (word >> left.trailing_zeros() & 1) << at;
            left &= left - 1;
            at += 1;
        }
        bits
    }

    #[inline]
    fn disjoint(first: &[u64; LANES], second: &[u64; LANES], a: u64, b: u64) -> u32 {
        let is_disjoint = |at: usize| first[at] & a | second[at] & b == 0;
        (0..LANES).fold(0, |bits, at| bits | u32::from(is_disjoint(at)) << at)
    }

    fn disjoint_behind(first: &[u64], second: &[u64], count: usize, with: [u64; 2]) -> u32 {
        disjoint_behind::<Self>(first, second, count, with)
    }

    #[inline(never)]
    fn apart<W: Work>(work: W) -> W::Output {
        work.run::<Self>()
    }
}

/// By one instruction; to be used where the processor has it.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[derive(Debug)]
pub(super) struct Quick;

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Quick {
    /// Whether the processor has it.
    #[inline(always)]
    pub(super) fn is_there() -> bool {
        std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("avx2")
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Extract for Quick {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: who uses this has asked whether the processor has the instruction.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn disjoint(first: &[u64; LANES], second: &[u64; LANES], a: u64, b: u64) -> u32 {
        // SAFETY: as above; the loads need no alignment.
        unsafe {
            let [a, b] = [a, b].map(|bits| _mm256_set1_epi64x(bits.cast_signed()));
            let first = _mm256_and_si256(_mm256_loadu_si256(first.as_ptr().cast()), a);
            let second = _mm256_and_si256(_mm256_loadu_si256(second.as_ptr().cast()), b);
            let none = _mm256_setzero_si256();
            let equal = _mm256_cmpeq_epi64(_mm256_or_si256(first, second), none);
            _mm256_movemask_pd(_mm256_castsi256_pd(equal)).cast_unsigned()
        }
    }

    #[inline(always)]
    fn disjoint_behind(first: &[u64], second: &[u64], count: usize, with: [u64; 2]) -> u32 {
        // Not inlined: most states have few groups, and nothing is to be made ready for this.
        #[target_feature(enable = "avx2")]
        #[inline(never)]
        fn behind(first: &[u64], second: &[u64], count: usize, with: [u64; 2]) -> u32 {
            disjoint_behind::<Quick>(first, second, count, with)
        }
        // SAFETY: as above.
        unsafe { behind(first, second, count, with) }
    }

    #[inline(always)]
    fn apart<W: Work>(work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi2")]
        #[inline(never)]
        fn quickly<W: Work>(work: W) -> W::Output {
            work.run::<Quick>()
        }
        // SAFETY: as above.
        unsafe { quickly(work) }
    }
}

/// As [`Extract::disjoint_behind`].
#[inline(always)]
fn disjoint_behind<E: Extract>(
    first: &[u64],
    second: &[u64],
    count: usize,
    [a, b]: [u64; 2],
) -> u32 {
    let (first, second) = (first.as_chunks().0, second.as_chunks().0);
    let mut bits = 0;
    let mut at = 1;
    while at * LANES < count && at < first.len().min(second.len()) {
        bits |= E::disjoint(&first[at], &second[at], a, b) << (at * LANES);
        at += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree() {
        let mut random = fastrand::Rng::with_seed(8);
        assert_eq!(Plain::extract(0b1011_0110, 0b0111_0010), 0b0111);
        assert_eq!(Plain::extract(u64::MAX, 0), 0);
        assert_eq!(Plain::extract(5, u64::MAX), 5);
        for _ in 0..1000 {
            let (word, mask) = (random.u64(..), random.u64(..) & random.u64(..));
            let plain = Plain::extract(word, mask);
            assert!(plain.count_ones() == (word & mask).count_ones());
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            if Quick::is_there() {
                assert_eq!(Quick::extract(word, mask), plain);
            }
        }
    }
}
