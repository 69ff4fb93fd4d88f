//! Dense numbers for 64-bit keys.
//!
//! Open addressing in lines of the cache: five keys, their numbers, and how many are
//! in use. The line a key belongs to follows from its upper bits, in proportion, so
//! an array grows by any factor in one sweep. The whole is cut into segments, which grow
//! one at a time: never are two copies of all needed.
//!
//! Invariants
//! - The places of a line are filled from the first on.
//! - A key stands behind its own line only if all lines between are full.

use crate::huge::advise;
use crate::prefetch::prefetch;

/// Few, for large pages.
const SEGMENT_BITS: u32 = 4;
const SEGMENTS: usize = 1 << SEGMENT_BITS;
const WIDTH: usize = 5;

/// Numbers keys from zero in the order of their insertion. Keys have to be spread evenly
/// over all numbers of 64 bits.
#[derive(Debug)]
pub struct KeyNumbers {
    segments: Vec<Segment>,
    count: u32,
    allocated: usize,
}

#[derive(Clone, Debug, Default)]
struct Segment {
    lines: Vec<Line>,
    used: usize,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line {
    keys: [u64; WIDTH],
    numbers: [u32; WIDTH],
    used: u32,
}

impl Default for KeyNumbers {
    fn default() -> Self {
        Self { segments: vec![Segment::default(); SEGMENTS], count: 0, allocated: 0 }
    }
}

impl KeyNumbers {
    /// Most keys that can be numbered.
    pub const MAX_KEYS: u32 = u32::MAX - 1;

    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of a key.
    #[inline]
    #[must_use]
    pub fn find(&self, key: u64) -> Option<u32> {
        let segment = &self.segments[segment_of(key)];
        if segment.lines.is_empty() {
            return None;
        }
        segment.probe(key).ok()
    }

    /// The number of a key, and whether it was given just now.
    ///
    /// # Panics
    /// There are [`MAX_KEYS`](Self::MAX_KEYS) keys already.
    #[inline]
    pub fn insert(&mut self, key: u64) -> (u32, bool) {
        let segment = &mut self.segments[segment_of(key)];
        if segment.is_crowded() {
            let before = segment.lines.capacity();
            segment.grow();
            self.allocated += (segment.lines.capacity() - before) * size_of::<Line>();
        }
        match segment.probe(key) {
            Ok(number) => (number, false),
            Err(at) => {
                let number = self.count;
                assert!(number < Self::MAX_KEYS, "no numbers are left");
                self.count += 1;
                segment.used += 1;
                segment.lines[at].add(key, number);
                (number, true)
            }
        }
    }

    /// Fetches what a look-up reads first.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let lines = &self.segments[segment_of(key)].lines;
        if let Some(line) = lines.get(home(key, lines.len())) {
            prefetch(line);
        }
    }

    /// Memory allocated.
    #[must_use]
    pub fn bytes_used(&self) -> u64 {
        (self.allocated + SEGMENTS * size_of::<Segment>()) as u64
    }
}

impl Segment {
    #[inline]
    fn is_crowded(&self) -> bool {
        self.used * 5 >= self.lines.len() * (WIDTH * 4)
    }

    /// The number of a key, or the line with a place for it.
    #[inline]
    fn probe(&self, key: u64) -> Result<u32, usize> {
        let mut at = home(key, self.lines.len());
        loop {
            let line = &self.lines[at];
            let hits = line.keys.iter().enumerate();
            let hits =
                hits.fold(0_u32, |hits, (place, other)| hits | u32::from(*other == key) << place);
            // Behind the last place in use there are zeros, which may be a key as well.
            let hits = hits & ((1 << line.used) - 1);
            if hits != 0 {
                return Ok(line.numbers[hits.trailing_zeros() as usize % WIDTH]);
            }
            if (line.used as usize) < WIDTH {
                return Err(at);
            }
            at = next(at, self.lines.len());
        }
    }

    #[cold]
    fn grow(&mut self) {
        let len = (self.lines.len() + self.lines.len().div_ceil(2)).max(1);
        let mut lines = Vec::with_capacity(len);
        advise(&lines);
        lines.resize(len, Line::default());
        let old = std::mem::replace(&mut self.lines, lines);
        for line in old {
            let used = line.used as usize;
            for (key, number) in line.keys.into_iter().zip(line.numbers).take(used) {
                let mut at = home(key, len);
                while self.lines[at].used as usize == WIDTH {
                    at = next(at, len);
                }
                self.lines[at].add(key, number);
            }
        }
    }
}

impl Line {
    #[inline]
    fn add(&mut self, key: u64, number: u32) {
        let at = self.used as usize;
        self.keys[at] = key;
        self.numbers[at] = number;
        self.used += 1;
    }
}

#[inline]
fn segment_of(key: u64) -> usize {
    (key >> (u64::BITS - SEGMENT_BITS)) as usize
}

#[inline]
fn home(key: u64, len: usize) -> usize {
    let rest = (key << SEGMENT_BITS) >> 32;
    ((rest * len as u64) >> 32) as usize
}

#[inline]
fn next(at: usize, len: usize) -> usize {
    if at + 1 == len { 0 } else { at + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn check(mut keys: impl FnMut(&mut fastrand::Rng) -> u64, count: usize) -> KeyNumbers {
        let mut random = fastrand::Rng::with_seed(7);
        let mut ours = KeyNumbers::new();
        let mut theirs = HashMap::new();
        for _ in 0..count {
            let key = keys(&mut random);
            assert_eq!(ours.find(key), theirs.get(&key).copied());
            ours.prefetch(key);
            let next = theirs.len() as u32;
            let number = *theirs.entry(key).or_insert(next);
            assert_eq!(ours.insert(key), (number, number == next));
        }
        assert_eq!(ours.len() as usize, theirs.len());
        assert!(theirs.iter().all(|(key, number)| ours.find(*key) == Some(*number)));
        ours
    }

    #[test]
    fn equals_a_map() {
        assert!(KeyNumbers::new().is_empty());
        assert_eq!(KeyNumbers::new().find(0), None);
        check(|random| random.u64(..), 200_000);
        check(|random| random.u64(..100).wrapping_mul(0x9e37_79b9_7f4a_7c15), 3_000);
    }

    #[test]
    fn crowded_and_extreme_keys() {
        check(|random| random.u64(..2_000), 5_000);
        check(|random| u64::MAX - random.u64(..2_000), 5_000);
    }

    #[test]
    fn memory_per_key() {
        let numbers = check(|random| random.u64(..), 100_000);
        let per_key = numbers.bytes_used() / u64::from(numbers.len());
        assert!((13..26).contains(&per_key), "{per_key}");
    }
}
