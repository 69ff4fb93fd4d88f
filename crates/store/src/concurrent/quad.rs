//! Two entries of 256 bits in one line of the cache, [claimed by their first quarter](super::claimed).

use super::claimed::{Claimed, EMPTY, is_possible, is_vacant, last, take};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::entry::WideGlance;
use super::entry::{Entry, Glance};
use spinor_ts::Quad;
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries per line.
const WIDTH: usize = 2;

/// Two entries.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct QuadLine {
    entries: [[AtomicU64; 4]; WIDTH],
}

impl Entry for Quad {
    type Line = QuadLine;

    #[inline(always)]
    fn tag(self) -> u32 {
        (self.0[0] >> 32) as u32
    }

    #[inline(always)]
    fn is_possible(self) -> bool {
        is_possible(self.0[0], self.0[3])
    }
}

impl Claimed<Quad> for QuadLine {
    const WIDTH: usize = WIDTH;

    type Look = QuadLook;
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    type WideLook = wide::WideLook;

    #[inline(always)]
    fn first_of(entry: Quad) -> u64 {
        entry.0[0]
    }

    #[inline(always)]
    fn first(&self, at: usize) -> &AtomicU64 {
        &self.entries[at % WIDTH][0]
    }

    #[inline]
    fn entry(&self, at: usize) -> Quad {
        let [first, second, third, fourth] = &self.entries[at % WIDTH];
        let fourth = last(fourth);
        let [first, second, third] = [first, second, third].map(|q| q.load(Ordering::Relaxed));
        Quad([first, second, third, fourth])
    }

    #[inline]
    fn write_rest(&self, at: usize, entry: Quad) {
        let [_, second, third, fourth] = &self.entries[at % WIDTH];
        second.store(entry.0[1], Ordering::Relaxed);
        third.store(entry.0[2], Ordering::Relaxed);
        fourth.store(entry.0[3], Ordering::Release);
    }

    #[inline]
    fn take(&self, mut visit: impl FnMut(Quad)) {
        let entries = self.entries.each_ref().map(|entry| Quad(entry.each_ref().map(take)));
        entries.into_iter().take_while(|entry| entry.0[0] != EMPTY).for_each(&mut visit);
    }
}

/// What one look at a line has shown.
#[derive(Debug)]
pub struct QuadLook {
    firsts: [u64; WIDTH],
}

impl Glance<Quad, QuadLine> for QuadLook {
    #[inline]
    fn at(line: &QuadLine) -> Self {
        Self { firsts: std::array::from_fn(|at| line.first(at).load(Ordering::Relaxed)) }
    }

    #[inline]
    fn has(&self, line: &QuadLine, key: Quad) -> bool {
        (0..WIDTH).any(|at| self.firsts[at] == key.0[0] && line.entry(at) == key)
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
    use super::{Claimed, EMPTY, Glance, QuadLine, WIDTH, WideGlance, is_vacant};
    use spinor_ts::Quad;
    use std::arch::x86_64::{
        __m256i, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_extract_epi64, _mm256_loadu_si256,
        _mm256_movemask_pd,
    };

    /// What one look at a line has shown.
    #[derive(Debug)]
    pub struct WideLook {
        entries: [__m256i; WIDTH],
    }

    impl WideLook {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn look(line: &QuadLine) -> Self {
            let (first, second) = both_halves(line);
            Self { entries: [first, second] }
        }

        #[inline(always)]
        fn firsts(&self) -> [u64; WIDTH] {
            let [first, second] = self.entries;
            // SAFETY: who uses this has asked whether the processor has the instructions.
            let firsts =
                unsafe { [_mm256_extract_epi64::<0>(first), _mm256_extract_epi64::<0>(second)] };
            [firsts[0].cast_unsigned(), firsts[1].cast_unsigned()]
        }

        /// The quarters of each entry that are those of a key, one bit each.
        #[inline(always)]
        fn equal(&self, key: Quad) -> [u32; WIDTH] {
            // SAFETY: as above; the load needs no alignment.
            unsafe {
                let key = _mm256_loadu_si256(key.0.as_ptr().cast());
                let [first, second] = self.entries;
                let first = _mm256_castsi256_pd(_mm256_cmpeq_epi64(first, key));
                let second = _mm256_castsi256_pd(_mm256_cmpeq_epi64(second, key));
                let equal = [_mm256_movemask_pd(first), _mm256_movemask_pd(second)];
                [equal[0].cast_unsigned(), equal[1].cast_unsigned()]
            }
        }
    }

    impl Glance<Quad, QuadLine> for WideLook {
        #[inline(always)]
        fn at(line: &QuadLine) -> Self {
            // SAFETY: who uses this has asked whether the processor has the instructions.
            unsafe { Self::look(line) }
        }

        #[inline(always)]
        fn has(&self, line: &QuadLine, key: Quad) -> bool {
            let equal = self.equal(key);
            // Another key, mostly; or the rest of it is on its way.
            let may_be = |at: usize| equal[at] & 1 == 1 && line.entry(at) == key;
            equal.contains(&0b1111) || (0..WIDTH).any(may_be)
        }

        #[inline(always)]
        fn first_vacant(&self) -> Option<usize> {
            self.firsts().iter().position(|first| is_vacant(*first))
        }
    }

    impl WideGlance<Quad, QuadLine> for WideLook {
        #[inline(always)]
        fn equal_and_empty(&self, key: Quad) -> (u32, u32) {
            let (equal, firsts) = (self.equal(key), self.firsts());
            let same = u32::from(equal[0] == 0b1111) | u32::from(equal[1] == 0b1111) << 1;
            (same, u32::from(firsts[0] == EMPTY) | u32::from(firsts[1] == EMPTY) << 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::claimed::tests::{looks_are_right, the_rest_is_waited_for};
    use super::*;

    fn empty() -> QuadLine {
        QuadLine { entries: std::array::from_fn(|_| std::array::from_fn(|_| AtomicU64::new(0))) }
    }

    #[test]
    fn quad_looks_are_right() {
        let quarter = |random: &mut fastrand::Rng| [1, 3, u64::MAX][random.usize(..3)];
        looks_are_right(empty, |random| Quad([(); 4].map(|()| quarter(random))));
    }

    #[test]
    fn the_other_quarters_are_waited_for() {
        let keys = [[5, 7, 9, 11], [5, 7, 9, 13], [7, 9, 9, 9]].map(Quad);
        the_rest_is_waited_for(&empty(), keys);
    }
}
