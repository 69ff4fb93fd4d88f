//! Two entries of 256 bits in one line of the cache.
//!
//! As with [entries of 128 bits](super::long), an entry is claimed by its first quarter, which is odd; what is empty or frozen has an even one.
//! Whoever has claimed it writes the others right after that, the last one, which is never zero, with release. So whoever finds the first
//! quarter of its key without the last one waits until it is there, and has seen all of the entry then. Why that is as good as an entry
//! that is written at once is said there.

use super::array::wait_until;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::entry::WideGlance;
use super::entry::{Blocked, Cells, Entry, Glance};
use crate::interleave::interleave;
use spinor_ts::Quad;
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries per line.
const WIDTH: usize = 2;
/// First quarters that are none.
const EMPTY: u64 = 0;
const FROZEN: u64 = 2;
/// A last quarter that is not there yet.
const MISSING: u64 = 0;

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
        !is_vacant(self.0[0]) && self.0[3] != MISSING
    }
}

#[inline(always)]
fn is_vacant(first: u64) -> bool {
    first & 1 == 0
}

impl QuadLine {
    #[inline]
    fn first(&self, at: usize) -> u64 {
        self.entries[at % WIDTH][0].load(Ordering::Relaxed)
    }

    /// Changes an empty first quarter, or tells what it is.
    #[inline]
    fn claim(&self, at: usize, first: u64) -> Result<(), u64> {
        let place = &self.entries[at % WIDTH][0];
        place.compare_exchange(EMPTY, first, Ordering::Relaxed, Ordering::Relaxed).map(|_| ())
    }

    /// An entry that was claimed.
    #[inline]
    fn entry(&self, at: usize) -> Quad {
        let [first, second, third, last] = &self.entries[at % WIDTH];
        wait_until(|| last.load(Ordering::Relaxed) != MISSING);
        let last = last.load(Ordering::Acquire);
        let [first, second, third] = [first, second, third].map(|q| q.load(Ordering::Relaxed));
        Quad([first, second, third, last])
    }

    #[inline]
    fn write_rest(&self, at: usize, entry: Quad) {
        let [_, second, third, last] = &self.entries[at % WIDTH];
        second.store(entry.0[1], Ordering::Relaxed);
        third.store(entry.0[2], Ordering::Relaxed);
        last.store(entry.0[3], Ordering::Release);
    }
}

impl Cells<Quad> for QuadLine {
    const WIDTH: usize = WIDTH;

    type Look = QuadLook;
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    type WideLook = wide::WideLook;

    #[inline]
    fn fill(&self, at: usize, entry: Quad) -> Result<(), Blocked> {
        let blocked = |other| if other == FROZEN { Blocked::Frozen } else { Blocked::Filled };
        self.claim(at, entry.0[0]).map_err(blocked)?;
        interleave();
        self.write_rest(at, entry);
        Ok(())
    }

    #[inline]
    fn put(&self, at: usize, entry: Quad) {
        self.entries[at % WIDTH][0].store(entry.0[0], Ordering::Relaxed);
        self.write_rest(at, entry);
    }

    #[inline]
    fn freeze(&self, mut visit: impl FnMut(Quad)) {
        for at in 0..WIDTH {
            if self.first(at) == EMPTY {
                interleave();
                if self.claim(at, FROZEN).is_ok() {
                    return;
                }
            }
            visit(self.entry(at));
        }
    }

    #[inline]
    fn take(&self, mut visit: impl FnMut(Quad)) {
        let take = |place: &AtomicU64| {
            let quarter = place.load(Ordering::Relaxed);
            place.store(0, Ordering::Relaxed);
            quarter
        };
        let entries = self.entries.each_ref().map(|entry| Quad(entry.each_ref().map(take)));
        entries.into_iter().take_while(|entry| entry.0[0] != EMPTY).for_each(&mut visit);
    }

    fn for_each(&self, mut visit: impl FnMut(Quad)) {
        (0..WIDTH)
            .take_while(|at| !is_vacant(self.first(*at)))
            .for_each(|at| visit(self.entry(at)));
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
        Self { firsts: std::array::from_fn(|at| line.first(at)) }
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
    use super::{EMPTY, Glance, QuadLine, WIDTH, WideGlance, is_vacant};
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
    use super::*;

    fn empty() -> QuadLine {
        QuadLine { entries: std::array::from_fn(|_| std::array::from_fn(|_| AtomicU64::new(0))) }
    }

    /// Whether a key is there, and the first vacant place, by either look.
    fn look(line: &QuadLine, key: Quad) -> Vec<(bool, Option<usize>)> {
        let plain = QuadLook::at(line);
        let mut seen = vec![(plain.has(line, key), plain.first_vacant())];
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if std::is_x86_feature_detected!("avx2") {
            let wide = wide::WideLook::at(line);
            seen.push((wide.has(line, key), wide.first_vacant()));
            let (equal, empty) = wide.equal_and_empty(key);
            assert_eq!(equal != 0, seen[1].0);
            assert!((0..WIDTH).all(|at| empty >> at & 1 == u32::from(line.first(at) == EMPTY)));
        }
        seen
    }

    #[test]
    fn looks_are_right() {
        let mut random = fastrand::Rng::with_seed(4);
        let quarter = |random: &mut fastrand::Rng| [1, 3, u64::MAX][random.usize(..3)];
        let entry = |random: &mut fastrand::Rng| Quad([(); 4].map(|()| quarter(random)));
        for _ in 0..2_000 {
            let line = empty();
            let mut entries = Vec::new();
            for at in 0..random.usize(..=WIDTH) {
                let entry = entry(&mut random);
                assert_eq!(line.fill(at, entry), Ok(()));
                assert_eq!(line.fill(at, entry), Err(Blocked::Filled));
                entries.push(entry);
            }
            let vacant = (entries.len() < WIDTH).then_some(entries.len());
            if random.bool() {
                let mut seen = Vec::new();
                line.freeze(|entry| seen.push(entry));
                assert_eq!(seen, entries);
                if let Some(at) = vacant {
                    assert_eq!(line.fill(at, Quad([1; 4])), Err(Blocked::Frozen));
                }
            }
            for key in (0..8).map(|_| entry(&mut random)).chain(entries.clone()) {
                let expected = (entries.contains(&key), vacant);
                assert!(look(&line, key).into_iter().all(|seen| seen == expected));
            }
            let mut seen = Vec::new();
            line.for_each(|entry| seen.push(entry));
            assert_eq!(seen, entries);
        }
    }

    /// What comes late is waited for, by those only who have the same first quarter.
    #[test]
    fn the_rest_is_waited_for() {
        let line = empty();
        assert_eq!(line.claim(0, 5), Ok(()));
        assert!(look(&line, Quad([7, 9, 9, 9])).into_iter().all(|seen| seen == (false, Some(1))));
        std::thread::scope(|scope| {
            let same = scope.spawn(|| look(&line, Quad([5, 7, 9, 11])));
            let other = scope.spawn(|| look(&line, Quad([5, 7, 9, 13])));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!same.is_finished() && !other.is_finished());
            line.write_rest(0, Quad([5, 7, 9, 11]));
            assert!(same.join().expect("no panic").into_iter().all(|seen| seen.0));
            assert!(other.join().expect("no panic").into_iter().all(|seen| !seen.0));
        });
    }
}
