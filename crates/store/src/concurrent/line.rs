//! Eight entries in one line of the cache, looked at all at once.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::entry::WideGlance;
use super::entry::{Blocked, Cells, Entry, Glance};
use super::{EMPTY, FROZEN};
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries per line.
const WIDTH: usize = 8;

/// Eight entries.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Line {
    entries: [AtomicU64; WIDTH],
}

impl Entry for u64 {
    type Line = Line;

    #[inline(always)]
    fn tag(self) -> u32 {
        (self >> 32) as u32
    }

    #[inline(always)]
    fn is_possible(self) -> bool {
        !is_vacant(self)
    }
}

impl Line {
    /// Changes an empty entry, or tells what it is.
    #[inline]
    fn swap_in(&self, at: usize, entry: u64) -> Result<(), u64> {
        let result = self.entries[at % WIDTH].compare_exchange(
            EMPTY,
            entry,
            Ordering::Release,
            Ordering::Acquire,
        );
        result.map(|_| ())
    }

    /// An entry unless it is vacant.
    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<u64> {
        Some(self.entries[at % WIDTH].load(Ordering::Acquire)).filter(|entry| !is_vacant(*entry))
    }
}

impl Cells<u64> for Line {
    const WIDTH: usize = WIDTH;

    type Look = Look;
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    type WideLook = WideLook;

    #[inline]
    fn fill(&self, at: usize, entry: u64) -> Result<(), Blocked> {
        let blocked = |other| if other == FROZEN { Blocked::Frozen } else { Blocked::Filled };
        self.swap_in(at, entry).map_err(blocked)
    }

    #[inline]
    fn put(&self, at: usize, entry: u64) {
        self.entries[at % WIDTH].store(entry, Ordering::Release);
    }

    #[inline]
    fn freeze(&self, mut visit: impl FnMut(u64)) {
        for (at, place) in self.entries.iter().enumerate() {
            let mut entry = place.load(Ordering::Acquire);
            if entry == EMPTY {
                crate::interleave::interleave();
                match self.swap_in(at, FROZEN) {
                    Ok(()) => return,
                    Err(filled) => entry = filled,
                }
            }
            visit(entry);
        }
    }

    #[inline]
    fn take(&self, visit: impl FnMut(u64)) {
        let entries: [u64; WIDTH] = std::array::from_fn(|at| {
            let entry = self.entries[at].load(Ordering::Relaxed);
            self.entries[at].store(EMPTY, Ordering::Relaxed);
            entry
        });
        entries.into_iter().take_while(|entry| *entry != EMPTY).for_each(visit);
    }

    fn for_each(&self, visit: impl FnMut(u64)) {
        let entries = self.entries.iter().map(|entry| entry.load(Ordering::Acquire));
        entries.take_while(|entry| !is_vacant(*entry)).for_each(visit);
    }
}

#[inline]
fn is_vacant(entry: u64) -> bool {
    entry == EMPTY || entry == FROZEN
}

/// Entries of a line, as a mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Some8(u32);

impl Some8 {
    #[inline]
    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) fn first(self) -> usize {
        (self.0.trailing_zeros() / BITS) as usize
    }

    /// The first one of a [`WideLook`], whose masks have a bit per entry.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline]
    pub(super) fn first_of_wide(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    #[inline]
    pub(super) fn without_first(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }
}

impl Glance<u64, Line> for Look {
    #[inline(always)]
    fn at(line: &Line) -> Self {
        Look::at(line)
    }

    #[inline(always)]
    fn has(&self, _line: &Line, key: u64) -> bool {
        !self.equal(key).is_none()
    }

    #[inline(always)]
    fn first_vacant(&self) -> Option<usize> {
        let vacant = self.vacant();
        (!vacant.is_none()).then(|| vacant.first())
    }
}

/// To be inlined where the processor is known to have the instructions.
#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Glance<u64, Line> for WideLook {
    #[inline(always)]
    fn at(line: &Line) -> Self {
        // SAFETY: who uses this has asked whether the processor has the instructions.
        unsafe { WideLook::at(line) }
    }

    #[inline(always)]
    fn has(&self, _line: &Line, key: u64) -> bool {
        // SAFETY: as above.
        !unsafe { self.equal(key) }.is_none()
    }

    #[inline(always)]
    fn first_vacant(&self) -> Option<usize> {
        // SAFETY: as above.
        let vacant = unsafe { self.vacant() };
        (!vacant.is_none()).then(|| vacant.first_of_wide())
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl WideGlance<u64, Line> for WideLook {
    #[inline(always)]
    fn equal_and_empty(&self, key: u64) -> (u32, u32) {
        // SAFETY: as above.
        unsafe { (self.equal_bits(key), self.equal_bits(EMPTY)) }
    }
}

use look::BITS;
pub use look::Look;
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub use wide::WideLook;

/// Two bits of a mask per entry, as comparing halves gives them. Baseline instructions of
/// the processor compare four halves at once.
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod look {
    use super::{Line, Some8};
    use std::arch::asm;
    use std::arch::x86_64::{
        __m128i, _mm_add_epi64, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16,
        _mm_packs_epi32, _mm_set1_epi32, _mm_set1_epi64x, _mm_setzero_si128, _mm_srli_epi64,
    };

    pub(in super::super) const BITS: u32 = 2;

    /// What one look at a line has shown.
    pub struct Look([__m128i; 4]);

    impl Look {
        #[inline]
        pub(in super::super) fn at(line: &Line) -> Self {
            let (a, b, c, d);
            // SAFETY: reads the line, which is aligned to its 64 bytes. It may be written at the
            // same time: an aligned read of 16 bytes does not tear its two entries. Loads
            // acquire on this architecture, and the compiler moves no access across this.
            unsafe {
                asm!(
                    "movdqa {a}, [{line}]",
                    "movdqa {b}, [{line} + 16]",
                    "movdqa {c}, [{line} + 32]",
                    "movdqa {d}, [{line} + 48]",
                    line = in(reg) line,
                    a = out(xmm_reg) a,
                    b = out(xmm_reg) b,
                    c = out(xmm_reg) c,
                    d = out(xmm_reg) d,
                    options(nostack, preserves_flags),
                );
            }
            Self([a, b, c, d])
        }

        /// Entries that equal `key`.
        #[inline]
        pub(in super::super) fn equal(&self, key: u64) -> Some8 {
            // SAFETY: as in `halves`.
            let key = unsafe { _mm_set1_epi64x(key.cast_signed()) };
            let halves = self.halves(|entries| entries, key);
            Some8(halves & halves >> 1 & 0x5555)
        }

        /// Entries with this tag; vacant ones may be among them.
        #[inline]
        pub(in super::super) fn tagged(&self, tag: u32) -> Some8 {
            // SAFETY: as in `halves`.
            let tag = unsafe { _mm_set1_epi32(tag.cast_signed()) };
            Some8(self.halves(|entries| entries, tag) & 0xaaaa)
        }

        /// Entries that are empty or frozen, that is, at most one after adding one.
        #[inline]
        pub(in super::super) fn vacant(&self) -> Some8 {
            // SAFETY: as in `halves`.
            let halves = unsafe {
                let one = _mm_set1_epi64x(1);
                let upper = |entries| _mm_srli_epi64::<1>(_mm_add_epi64(entries, one));
                self.halves(upper, _mm_setzero_si128())
            };
            Some8(halves & halves >> 1 & 0x5555)
        }

        /// A bit for each half of each entry, changed by `map`, that equals that of `other`.
        #[inline]
        fn halves(&self, map: impl Fn(__m128i) -> __m128i, other: __m128i) -> u32 {
            let [a, b, c, d] = self.0;
            // SAFETY: these instructions are part of the architecture.
            unsafe {
                let equal = |entries| _mm_cmpeq_epi32(map(entries), other);
                let low = _mm_packs_epi32(equal(a), equal(b));
                let high = _mm_packs_epi32(equal(c), equal(d));
                _mm_movemask_epi8(_mm_packs_epi16(low, high)).cast_unsigned()
            }
        }
    }
}

/// The same with instructions that not every processor has: half as many.
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod wide {
    use super::super::entry::both_halves;
    use super::{Line, Some8};
    use std::arch::x86_64::{
        __m256i, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_movemask_pd, _mm256_or_si256,
        _mm256_set1_epi64x, _mm256_setzero_si256,
    };

    /// What one look at a line has shown.
    pub struct WideLook(__m256i, __m256i);

    impl WideLook {
        #[target_feature(enable = "avx2")]
        #[inline]
        pub(in super::super) fn at(line: &Line) -> Self {
            let (a, b) = both_halves(line);
            Self(a, b)
        }

        /// Entries that equal `key`.
        #[target_feature(enable = "avx2")]
        #[inline]
        pub(in super::super) fn equal(&self, key: u64) -> Some8 {
            let key = _mm256_set1_epi64x(key.cast_signed());
            mask(_mm256_cmpeq_epi64(self.0, key), _mm256_cmpeq_epi64(self.1, key))
        }

        /// The same, a bit for each entry.
        #[target_feature(enable = "avx2")]
        #[inline]
        pub(in super::super) fn equal_bits(&self, key: u64) -> u32 {
            self.equal(key).0
        }

        /// Entries that are empty or frozen.
        #[target_feature(enable = "avx2")]
        #[inline]
        pub(in super::super) fn vacant(&self) -> Some8 {
            let empty = _mm256_setzero_si256();
            let frozen = _mm256_set1_epi64x(-1);
            let is = |entries| {
                let is_empty = _mm256_cmpeq_epi64(entries, empty);
                _mm256_or_si256(is_empty, _mm256_cmpeq_epi64(entries, frozen))
            };
            mask(is(self.0), is(self.1))
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn mask(low: __m256i, high: __m256i) -> Some8 {
        let bits = |half| _mm256_movemask_pd(_mm256_castsi256_pd(half)).cast_unsigned();
        Some8(bits(low) | bits(high) << 4)
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
mod look {
    use super::{Line, Some8, WIDTH, is_vacant};
    use std::sync::atomic::Ordering;

    pub(in super::super) const BITS: u32 = 1;

    /// What one look at a line has shown.
    pub struct Look([u64; WIDTH]);

    impl Look {
        #[inline]
        pub(in super::super) fn at(line: &Line) -> Self {
            Self(std::array::from_fn(|at| line.entries[at].load(Ordering::Acquire)))
        }

        /// Entries that equal `key`.
        #[inline]
        pub(in super::super) fn equal(&self, key: u64) -> Some8 {
            self.which(|entry| entry == key)
        }

        /// Entries with this tag; vacant ones may be among them.
        #[inline]
        pub(in super::super) fn tagged(&self, tag: u32) -> Some8 {
            self.which(|entry| (entry >> 32) as u32 == tag)
        }

        /// Entries that are empty or frozen.
        #[inline]
        pub(in super::super) fn vacant(&self) -> Some8 {
            self.which(is_vacant)
        }

        #[inline]
        fn which(&self, is: impl Fn(u64) -> bool) -> Some8 {
            let entries = self.0.iter().enumerate();
            Some8(entries.fold(0, |bits, (at, entry)| bits | u32::from(is(*entry)) << at))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(mut some: Some8) -> Vec<usize> {
        let mut indices = Vec::new();
        while !some.is_none() {
            indices.push(some.first());
            some = some.without_first();
        }
        indices
    }

    const SOME: [u64; WIDTH] =
        [0, u64::MAX, 1, 1 << 32, u64::MAX - 1, u64::MAX << 32, u64::MAX >> 32, 7 << 32 | 7];

    /// Vacant entries, and those that equal each of `SOME`, if the processor can.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    fn wide_look(line: &Line) -> Option<(Vec<usize>, Vec<Vec<usize>>)> {
        #[target_feature(enable = "avx2")]
        fn look(line: &Line) -> (Vec<usize>, Vec<Vec<usize>>) {
            let look = WideLook::at(line);
            let list = |Some8(bits)| (0..WIDTH).filter(|at| bits >> at & 1 == 1).collect();
            let mut equal = Vec::new();
            for key in SOME {
                equal.push(list(look.equal(key)));
            }
            (list(look.vacant()), equal)
        }
        // SAFETY: the processor has these instructions.
        std::is_x86_feature_detected!("avx2").then(|| unsafe { look(line) })
    }

    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    fn wide_look(_line: &Line) -> Option<(Vec<usize>, Vec<Vec<usize>>)> {
        None
    }

    #[test]
    fn looks_are_right() {
        let mut random = fastrand::Rng::with_seed(6);
        let some = SOME;
        for _ in 0..2_000 {
            let entries: [u64; WIDTH] = std::array::from_fn(|_| some[random.usize(..some.len())]);
            let line = Line { entries: entries.map(AtomicU64::new) };
            let look = Look::at(&line);
            let wide = wide_look(&line);
            let expect = |is: &dyn Fn(u64) -> bool| -> Vec<usize> {
                (0..WIDTH).filter(|at| is(entries[*at])).collect()
            };
            assert_eq!(indices(look.vacant()), expect(&is_vacant));
            if let Some((vacant, _)) = &wide {
                assert_eq!(*vacant, expect(&is_vacant));
            }
            for (at, key) in some.into_iter().enumerate() {
                assert_eq!(indices(look.equal(key)), expect(&|entry| entry == key));
                if let Some((_, equal)) = &wide {
                    assert_eq!(equal[at], expect(&|entry| entry == key));
                }
                let tag = (key >> 32) as u32;
                assert_eq!(indices(look.tagged(tag)), expect(&|entry| entry >> 32 == key >> 32));
            }
        }
    }
}
