//! What some processors can do with words in one instruction or two.

#![allow(unsafe_code)]

use crate::tree::word::Word;
use spinor_ts::Quad;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::arch::x86_64::{
    _mm_set_epi64x, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_castsi256_pd,
    _mm256_cmpeq_epi64, _mm256_loadu_si256, _mm256_movemask_pd, _mm256_or_si256,
    _mm256_permute4x64_epi64, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_testz_si256,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

/// Words that are looked at at once.
pub const LANES: usize = 4;

/// A way to do it.
pub trait Extract {
    /// The bits of `word` that `mask` has, moved together at the low end.
    fn extract(word: u64, mask: u64) -> u64;

    /// A bit for each place where neither `first` and `a` nor `second` and `b` have a bit in common.
    fn disjoint(first: &[u64; LANES], second: &[u64; LANES], a: u64, b: u64) -> u32;

    /// The same for long words.
    fn disjoint_long(first: &[u128; LANES], second: &[u128; LANES], a: u128, b: u128) -> u32;

    /// And for the longest.
    fn disjoint_quad(first: &[Quad; LANES], second: &[Quad; LANES], a: Quad, b: Quad) -> u32;

    /// The same for the first `count` places or some more, but not for the first [`LANES`], whose bits are not set.
    fn disjoint_behind<W: Word>(first: &[W], second: &[W], count: usize, with: [W; 2]) -> u32;

    /// Does some work in a function of its own: where a loop needs all registers.
    fn apart<W: Work>(work: W) -> W::Output;
}

/// Something that is done in either way.
pub trait Work {
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

    #[inline]
    fn disjoint_long(first: &[u128; LANES], second: &[u128; LANES], a: u128, b: u128) -> u32 {
        let is_disjoint = |at: usize| first[at] & a | second[at] & b == 0;
        (0..LANES).fold(0, |bits, at| bits | u32::from(is_disjoint(at)) << at)
    }

    #[inline]
    fn disjoint_quad(first: &[Quad; LANES], second: &[Quad; LANES], a: Quad, b: Quad) -> u32 {
        let is_disjoint = |at: usize| (first[at] & a | second[at] & b) == Quad::NONE;
        (0..LANES).fold(0, |bits, at| bits | u32::from(is_disjoint(at)) << at)
    }

    fn disjoint_behind<W: Word>(first: &[W], second: &[W], count: usize, with: [W; 2]) -> u32 {
        disjoint_behind::<Self, W>(first, second, count, with)
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
        std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("popcnt")
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
    fn disjoint_long(first: &[u128; LANES], second: &[u128; LANES], a: u128, b: u128) -> u32 {
        // SAFETY: as above.
        unsafe {
            let [a, b] = [a, b].map(|bits| {
                _mm256_broadcastsi128_si256(_mm_set_epi64x(
                    ((bits >> 64) as u64).cast_signed(),
                    (bits as u64).cast_signed(),
                ))
            });
            let pair = |at: usize| {
                let first = _mm256_loadu_si256(first.as_ptr().add(at).cast());
                let second = _mm256_loadu_si256(second.as_ptr().add(at).cast());
                _mm256_or_si256(_mm256_and_si256(first, a), _mm256_and_si256(second, b))
            };
            let (low, high) = (pair(0), pair(2));
            // Lower halves, then upper ones, of the words 0, 2, 1, 3.
            let lower = _mm256_unpacklo_epi64(low, high);
            let upper = _mm256_unpackhi_epi64(low, high);
            let none = _mm256_setzero_si256();
            let equal = _mm256_cmpeq_epi64(_mm256_or_si256(lower, upper), none);
            let equal = _mm256_permute4x64_epi64::<0b11_01_10_00>(equal);
            _mm256_movemask_pd(_mm256_castsi256_pd(equal)).cast_unsigned()
        }
    }

    #[inline(always)]
    fn disjoint_quad(first: &[Quad; LANES], second: &[Quad; LANES], a: Quad, b: Quad) -> u32 {
        // SAFETY: as above.
        unsafe {
            let a = _mm256_loadu_si256(a.0.as_ptr().cast());
            let b = _mm256_loadu_si256(b.0.as_ptr().cast());
            let (mut bits, mut at) = (0, 0);
            while at < LANES {
                let first = _mm256_loadu_si256(first[at].0.as_ptr().cast());
                let second = _mm256_loadu_si256(second[at].0.as_ptr().cast());
                let both = _mm256_or_si256(_mm256_and_si256(first, a), _mm256_and_si256(second, b));
                bits |= _mm256_testz_si256(both, both).cast_unsigned() << at;
                at += 1;
            }
            bits
        }
    }

    #[inline(always)]
    fn disjoint_behind<W: Word>(first: &[W], second: &[W], count: usize, with: [W; 2]) -> u32 {
        // Not inlined: most states have few groups, and nothing is to be made ready for this.
        #[target_feature(enable = "avx2")]
        #[inline(never)]
        fn behind<W: Word>(first: &[W], second: &[W], count: usize, with: [W; 2]) -> u32 {
            disjoint_behind::<Quick, W>(first, second, count, with)
        }
        // SAFETY: as above.
        unsafe { behind(first, second, count, with) }
    }

    #[inline(always)]
    fn apart<W: Work>(work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi2,popcnt")]
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
fn disjoint_behind<E: Extract, W: Word>(
    first: &[W],
    second: &[W],
    count: usize,
    [a, b]: [W; 2],
) -> u32 {
    let (first, second) = (first.as_chunks().0, second.as_chunks().0);
    let mut bits = 0;
    let mut at = 1;
    while at * LANES < count && at < first.len().min(second.len()) {
        bits |= W::disjoint::<E>(&first[at], &second[at], a, b) << (at * LANES);
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
            let (word, mask) = (random.u128(..), random.u128(..) & random.u128(..));
            let mask = mask & random.u128(..);
            let bits = (0..u128::BITS).filter(|bit| mask >> bit & 1 == 1);
            let expected = bits.zip(0..).fold(0, |all, (bit, at)| {
                if at < u64::BITS { all | ((word >> bit) as u64 & 1) << at } else { all }
            });
            assert_eq!(word.extract::<Plain>(mask), expected);
            let far = |word: u128| Quad([word as u64, 0, (word >> 64) as u64, 0]);
            assert_eq!(far(word).extract::<Plain>(far(mask)), expected);
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            if Quick::is_there() {
                assert_eq!(word.extract::<Quick>(mask), expected);
            }
        }
    }

    #[test]
    fn both_ways_tell_what_is_disjoint() {
        let mut random = fastrand::Rng::with_seed(9);
        for _ in 0..1000 {
            let mut word = || {
                let word = 1_u128 << random.u32(..128) | 1_u128 << random.u32(..128);
                if random.u8(..4) == 0 { 0 } else { word }
            };
            let (first, second) = ([(); LANES].map(|()| word()), [(); LANES].map(|()| word()));
            let (a, b) = (word() | word() | word(), word() | word());
            let expected = (0..LANES).filter(|at| first[*at] & a == 0 && second[*at] & b == 0);
            let expected = expected.fold(0, |bits, at| bits | 1 << at);
            assert_eq!(u128::disjoint::<Plain>(&first, &second, a, b), expected);
            // Each half at either end.
            let far = |word: u128| Quad([word as u64, 0, 0, (word >> 64) as u64]);
            let (firsts, seconds) = (first.map(far), second.map(far));
            let (c, d) = (far(a), far(b));
            assert_eq!(Quad::disjoint::<Plain>(&firsts, &seconds, c, d), expected);
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            if Quick::is_there() {
                assert_eq!(Quad::disjoint::<Quick>(&firsts, &seconds, c, d), expected);
            }
            let low = |words: [u128; LANES]| words.map(|word| word as u64);
            let (short, other) = (low(first), low(second));
            let plain = u64::disjoint::<Plain>(&short, &other, a as u64, b as u64);
            assert!(plain & expected == expected);
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            if Quick::is_there() {
                assert_eq!(u128::disjoint::<Quick>(&first, &second, a, b), expected);
                assert_eq!(u64::disjoint::<Quick>(&short, &other, a as u64, b as u64), plain);
            }
        }
    }
}
