//! Four entries of 128 bits in one line of the cache.
//!
//! An entry has two halves. The first ones of a line lie side by side, and so do the second ones: one comparison
//! tells which first halves are equal, another one the second.
//!
//! The first half of an entry is odd, the second one is not zero (a table is told so by whoever makes
//! entries). What is empty or frozen has an even first half.
//!
//! # Why it is as good as an entry that is written at once
//!
//! Everything that the [table](super) says of entries that change once holds for first halves: they change from empty to
//! that of what is inserted, or from empty to frozen, by compare-and-swap. The second half belongs to whoever has filled the first one. It
//! is written once, right after that, and nothing else is done in between: so whoever finds the
//! first half of its key without a second one waits until it is there, and then knows whether it is the same key. Others
//! need not wait: an entry with another first half is another entry. So nobody passes a place
//! without knowing what is there for good, which is all that the argument needs; copying waits as well.
//!
//! The second half is written with release and read with acquire; an entry counts as found only if both were read. A look at both halves
//! may show them as they were at different times. If the first one was still empty the place is taken for empty: to fill it
//! will fail. If the second one was still zero it is read again.

use super::array::wait_until;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::entry::WideGlance;
use super::entry::{Blocked, Cells, Entry, Glance};
use crate::interleave::interleave;
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries per line.
const WIDTH: usize = 4;
/// First halves that are none.
const EMPTY: u64 = 0;
const FROZEN: u64 = 2;
/// A second half that is not there yet.
const MISSING: u64 = 0;

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
        !is_vacant(first) && second != MISSING
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

#[inline(always)]
fn is_vacant(first: u64) -> bool {
    first & 1 == 0
}

impl LongLine {
    /// Changes an empty first half, or tells what it is.
    #[inline]
    fn claim(&self, at: usize, first: u64) -> Result<(), u64> {
        let place = &self.firsts[at % WIDTH];
        place.compare_exchange(EMPTY, first, Ordering::Relaxed, Ordering::Relaxed).map(|_| ())
    }

    /// The second half of an entry that has a first one.
    #[inline]
    fn second(&self, at: usize) -> u64 {
        let place = &self.seconds[at % WIDTH];
        let second = place.load(Ordering::Acquire);
        if second == MISSING { wait_for(place) } else { second }
    }

    /// Whether one of these entries, which have the first half that is wanted, has this second one.
    #[cold]
    fn has_second(&self, mut places: u32, second: u64) -> bool {
        while places != 0 {
            if self.second(places.trailing_zeros() as usize) == second {
                return true;
            }
            places &= places - 1;
        }
        false
    }
}

#[cold]
fn wait_for(place: &AtomicU64) -> u64 {
    wait_until(|| place.load(Ordering::Relaxed) != MISSING);
    place.load(Ordering::Acquire)
}

impl Cells<u128> for LongLine {
    const WIDTH: usize = WIDTH;

    type Look = LongLook;
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    type WideLook = wide::WideLook;

    #[inline]
    fn fill(&self, at: usize, entry: u128) -> Result<(), Blocked> {
        let (first, second) = halves(entry);
        let blocked = |other| if other == FROZEN { Blocked::Frozen } else { Blocked::Filled };
        self.claim(at, first).map_err(blocked)?;
        interleave();
        self.seconds[at % WIDTH].store(second, Ordering::Release);
        Ok(())
    }

    #[inline]
    fn put(&self, at: usize, entry: u128) {
        let (first, second) = halves(entry);
        self.firsts[at % WIDTH].store(first, Ordering::Relaxed);
        self.seconds[at % WIDTH].store(second, Ordering::Release);
    }

    #[inline]
    fn freeze(&self, mut visit: impl FnMut(u128)) {
        for at in 0..WIDTH {
            let mut first = self.firsts[at].load(Ordering::Relaxed);
            if first == EMPTY {
                interleave();
                match self.claim(at, FROZEN) {
                    Ok(()) => return,
                    Err(filled) => first = filled,
                }
            }
            visit(whole(first, self.second(at)));
        }
    }

    #[inline]
    fn take(&self, mut visit: impl FnMut(u128)) {
        let take = |place: &AtomicU64| {
            let half = place.load(Ordering::Relaxed);
            place.store(0, Ordering::Relaxed);
            half
        };
        let firsts = self.firsts.each_ref().map(take);
        let seconds = self.seconds.each_ref().map(take);
        for (first, second) in firsts.into_iter().zip(seconds) {
            if first == EMPTY {
                break;
            }
            visit(whole(first, second));
        }
    }

    fn for_each(&self, mut visit: impl FnMut(u128)) {
        for at in 0..WIDTH {
            let first = self.firsts[at].load(Ordering::Relaxed);
            if is_vacant(first) {
                break;
            }
            visit(whole(first, self.second(at)));
        }
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
    use super::*;

    /// Whether a key is there, and the first vacant place, by either look.
    fn look(line: &LongLine, key: u128) -> Vec<(bool, Option<usize>)> {
        let plain = LongLook::at(line);
        let mut seen = vec![(plain.has(line, key), plain.first_vacant())];
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if std::is_x86_feature_detected!("avx2") {
            let wide = wide::WideLook::at(line);
            seen.push((wide.has(line, key), wide.first_vacant()));
            let (equal, empty) = wide.equal_and_empty(key);
            let firsts = line.firsts.each_ref().map(|first| first.load(Ordering::Relaxed));
            assert_eq!(equal != 0, seen[1].0);
            assert!((0..WIDTH).all(|at| empty >> at & 1 == u32::from(firsts[at] == EMPTY)));
        }
        seen
    }

    #[test]
    fn looks_are_right() {
        let mut random = fastrand::Rng::with_seed(4);
        let half = |random: &mut fastrand::Rng| [1, 3, u64::MAX, 1 << 63 | 1][random.usize(..4)];
        for _ in 0..2_000 {
            let zeros = || std::array::from_fn(|_| AtomicU64::new(0));
            let line = LongLine { firsts: zeros(), seconds: zeros() };
            let mut entries = Vec::new();
            for at in 0..random.usize(..=WIDTH) {
                let entry = whole(half(&mut random), half(&mut random));
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
                    assert_eq!(line.fill(at, whole(1, 1)), Err(Blocked::Frozen));
                }
            }
            for _ in 0..8 {
                let key = whole(half(&mut random), half(&mut random));
                let expected = (entries.contains(&key), vacant);
                assert!(look(&line, key).into_iter().all(|seen| seen == expected));
            }
            let mut seen = Vec::new();
            line.for_each(|entry| seen.push(entry));
            assert_eq!(seen, entries);
        }
    }

    /// A second half that comes late is waited for, by those only who have the same first half.
    #[test]
    fn a_second_half_is_waited_for() {
        let zeros = || std::array::from_fn(|_| AtomicU64::new(0));
        let line = LongLine { firsts: zeros(), seconds: zeros() };
        assert_eq!(line.claim(0, 5), Ok(()));
        assert!(look(&line, whole(7, 9)).into_iter().all(|seen| seen == (false, Some(1))));
        std::thread::scope(|scope| {
            let same = scope.spawn(|| look(&line, whole(5, 9)));
            let other = scope.spawn(|| look(&line, whole(5, 11)));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!same.is_finished() && !other.is_finished());
            line.seconds[0].store(9, Ordering::Release);
            assert!(same.join().expect("no panic").into_iter().all(|seen| seen.0));
            assert!(other.join().expect("no panic").into_iter().all(|seen| !seen.0));
        });
    }
}
