//! Four entries of 128 bits in one line of the cache, [claimed by their first half](super::claimed).
//!
//! The first halves of a line lie side by side, and so do the second ones: one comparison
//! tells which first halves are equal, another one the second.

use super::claimed::{Claimed, EMPTY, is_possible, is_vacant, last, take};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::entry::WideGlance;
use super::entry::{Entry, Glance};
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries per line.
const WIDTH: usize = 4;

/// Four entries.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct LongLine {
    firsts: [AtomicU64; WIDTH],
    seconds: [AtomicU64; WIDTH],
}

impl Entry for u128 {
    type Line = LongLine;

    #[inline(always)]
    fn tag(self) -> u32 {
        (self >> 96) as u32
    }

    #[inline(always)]
    fn is_possible(self) -> bool {
        let (first, second) = halves(self);
        is_possible(first, second)
    }
}

#[inline(always)]
fn halves(entry: u128) -> (u64, u64) {
    ((entry >> 64) as u64, entry as u64)
}

#[inline(always)]
fn whole(first: u64, second: u64) -> u128 {
    u128::from(first) << 64 | u128::from(second)
}

impl LongLine {
    /// Whether one of these entries, which have the first half that is wanted, has this second one.
    #[cold]
    fn has_second(&self, mut places: u32, second: u64) -> bool {
        while places != 0 {
            if last(&self.seconds[places.trailing_zeros() as usize % WIDTH]) == second {
                return true;
            }
            places &= places - 1;
        }
        false
    }
}

impl Claimed<u128> for LongLine {
    const WIDTH: usize = WIDTH;

    type Look = LongLook;
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    type WideLook = wide::WideLook;

    #[inline(always)]
    fn first_of(entry: u128) -> u64 {
        halves(entry).0
    }

    #[inline(always)]
    fn first(&self, at: usize) -> &AtomicU64 {
        &self.firsts[at % WIDTH]
    }

    #[inline]
    fn entry(&self, at: usize) -> u128 {
        let second = last(&self.seconds[at % WIDTH]);
        whole(self.first(at).load(Ordering::Relaxed), second)
    }

    #[inline]
    fn write_rest(&self, at: usize, entry: u128) {
        self.seconds[at % WIDTH].store(halves(entry).1, Ordering::Release);
    }

    #[inline]
    fn take(&self, mut visit: impl FnMut(u128)) {
        let firsts = self.firsts.each_ref().map(take);
        let seconds = self.seconds.each_ref().map(take);
        let entries = firsts.into_iter().zip(seconds);
        entries.take_while(|(first, _)| *first != EMPTY).for_each(|(f, s)| visit(whole(f, s)));
    }
}

/// What one look at a line has shown.
#[derive(Debug)]
pub struct LongLook {
    firsts: [u64; WIDTH],
}

impl Glance<u128, LongLine> for LongLook {
    #[inline]
    fn at(line: &LongLine) -> Self {
        Self { firsts: line.firsts.each_ref().map(|first| first.load(Ordering::Relaxed)) }
    }

    #[inline]
    fn has(&self, line: &LongLine, key: u128) -> bool {
        let (first, second) = halves(key);
        let places = self.firsts.iter().enumerate();
        let equal = places.fold(0, |bits, (at, other)| bits | u32::from(*other == first) << at);
        equal != 0 && line.has_second(equal, second)
    }

    #[inline]
    fn first_vacant(&self) -> Option<usize> {
        self.firsts.iter().position(|first| is_vacant(*first))
    }
}

/// The same with longer words.
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod wide {
    use super::super::entry::both_halves;
    use super::{Glance, LongLine, WideGlance, halves};
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_movemask_pd,
        _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_slli_epi64,
    };

    /// What one look at a line has shown.
    #[derive(Debug)]
    pub struct WideLook {
        firsts: __m256i,
        seconds: __m256i,
    }

    impl WideLook {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn look(line: &LongLine) -> Self {
            let (firsts, seconds) = both_halves(line);
            Self { firsts, seconds }
        }
    }

    impl Glance<u128, LongLine> for WideLook {
        #[inline(always)]
        fn at(line: &LongLine) -> Self {
            // SAFETY: who uses this has asked whether the processor has the instructions.
            unsafe { Self::look(line) }
        }

        #[inline(always)]
        fn has(&self, line: &LongLine, key: u128) -> bool {
            let (first, second) = halves(key);
            // SAFETY: as above.
            let (firsts, both) = unsafe {
                let firsts = _mm256_cmpeq_epi64(self.firsts, splat(first));
                let seconds = _mm256_cmpeq_epi64(self.seconds, splat(second));
                (mask(firsts), mask(_mm256_and_si256(firsts, seconds)))
            };
            // Another key, mostly; or the second half is on its way.
            both != 0 || firsts != 0 && line.has_second(firsts, second)
        }

        #[inline(always)]
        fn first_vacant(&self) -> Option<usize> {
            // SAFETY: as above.
            let odd = unsafe { mask(_mm256_slli_epi64::<63>(self.firsts)) };
            let at = odd.trailing_ones() as usize;
            (at < super::WIDTH).then_some(at)
        }
    }

    impl WideGlance<u128, LongLine> for WideLook {
        #[inline(always)]
        fn equal_and_empty(&self, key: u128) -> (u32, u32) {
            let (first, second) = halves(key);
            // SAFETY: as above.
            unsafe {
                let firsts = _mm256_cmpeq_epi64(self.firsts, splat(first));
                let seconds = _mm256_cmpeq_epi64(self.seconds, splat(second));
                let empty = _mm256_cmpeq_epi64(self.firsts, _mm256_setzero_si256());
                (mask(_mm256_and_si256(firsts, seconds)), mask(empty))
            }
        }
    }

    /// # Safety
    /// The processor has the instructions.
    #[inline(always)]
    unsafe fn splat(half: u64) -> __m256i {
        // SAFETY: the caller's promise.
        unsafe { _mm256_set1_epi64x(half.cast_signed()) }
    }

    /// The first bit of each.
    ///
    /// # Safety
    /// The processor has the instructions.
    #[inline(always)]
    unsafe fn mask(entries: __m256i) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(entries)).cast_unsigned() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::claimed::tests::{looks_are_right, the_rest_is_waited_for};
    use super::*;

    fn empty() -> LongLine {
        let zeros = || std::array::from_fn(|_| AtomicU64::new(0));
        LongLine { firsts: zeros(), seconds: zeros() }
    }

    #[test]
    fn long_looks_are_right() {
        let half = |random: &mut fastrand::Rng| [1, 3, u64::MAX, 1 << 63 | 1][random.usize(..4)];
        looks_are_right(empty, |random| whole(half(random), half(random)));
    }

    #[test]
    fn a_second_half_is_waited_for() {
        the_rest_is_waited_for(&empty(), [whole(5, 9), whole(5, 11), whole(7, 9)]);
    }
}
