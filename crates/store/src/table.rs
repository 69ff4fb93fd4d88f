//! From a hash to the numbers that were filed under it.
//!
//! Open addressing in groups of eight entries, one cache line each: 32 bits of
//! the hash as tag and 32 bits for the number. The group a tag belongs to follows
//! from the tag alone, in proportion, so a table grows without a look at the
//! keys, in one sweep, by any factor. The whole is cut into segments by other
//! bits of the hash, and these grow one at a time: never are two copies of all
//! needed.
//!
//! Invariants
//! - The entries of a group are filled from the first on.
//! - An entry stands behind its own group only if all between are full.

use crate::huge::advise;
use crate::prefetch::prefetch;

/// Few, for large pages.
const SEGMENTS: usize = 16;
const WIDTH: usize = 8;
const FREE: u32 = 0;

/// A multimap from hashes to numbers below `u32::MAX`.
#[derive(Debug)]
pub(crate) struct TagTable {
    segments: Vec<Segment>,
    allocated: usize,
}

#[derive(Clone, Debug, Default)]
struct Segment {
    groups: Vec<Group>,
    used: usize,
}

/// Tags and numbers apart: eight tags are compared at once.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Group {
    tags: [u32; WIDTH],
    /// One more than the number, or [`FREE`].
    numbers: [u32; WIDTH],
}

/// Where a search for a hash ended.
pub(crate) enum Found {
    /// At the number that was accepted.
    At(u32),
    /// At a free entry, which can be filled as long as the table is not changed.
    Free(FreeEntry),
}

/// A place for a new number.
pub(crate) struct FreeEntry {
    segment: usize,
    group: usize,
    tag: u32,
}

impl Default for TagTable {
    fn default() -> Self {
        Self { segments: vec![Segment::default(); SEGMENTS], allocated: 0 }
    }
}

impl TagTable {
    pub(crate) fn bytes_used(&self) -> u64 {
        (self.allocated + SEGMENTS * size_of::<Segment>()) as u64
    }

    /// The first number under `hash` that `is_it` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let (segment, tag) = split(hash);
        let segment = &self.segments[segment];
        if segment.groups.is_empty() {
            return None;
        }
        segment.probe(tag, is_it).ok()
    }

    /// As `find`, but makes sure that there is a place to add a number.
    #[inline]
    pub(crate) fn find_or_free(&mut self, hash: u64, is_it: impl Fn(u32) -> bool) -> Found {
        let (at, tag) = split(hash);
        let segment = &mut self.segments[at];
        if segment.is_crowded() {
            let before = segment.groups.capacity();
            segment.grow();
            self.allocated += (segment.groups.capacity() - before) * size_of::<Group>();
        }
        match segment.probe(tag, is_it) {
            Ok(number) => Found::At(number),
            Err(group) => Found::Free(FreeEntry { segment: at, group, tag }),
        }
    }

    /// Files a number in the entry that was found for it.
    #[inline]
    pub(crate) fn fill(&mut self, entry: &FreeEntry, number: u32) {
        let segment = &mut self.segments[entry.segment];
        segment.groups[entry.group].add(entry.tag, number + 1);
        segment.used += 1;
    }

    /// Fetches the group where a search for `hash` begins.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        let (at, tag) = split(hash);
        let groups = &self.segments[at].groups;
        if let Some(group) = groups.get(home(tag, groups.len())) {
            prefetch(group);
        }
    }

    /// The number that a search for `hash` most likely looks at first.
    #[inline]
    pub(crate) fn first(&self, hash: u64) -> Option<u32> {
        let (at, tag) = split(hash);
        let groups = &self.segments[at].groups;
        let group = groups.get(home(tag, groups.len()))?;
        let first = group.equal(tag).trailing_zeros() as usize;
        group.numbers.get(first)?.checked_sub(1)
    }
}

impl Segment {
    fn is_crowded(&self) -> bool {
        self.used * 5 >= self.groups.len() * (WIDTH * 4)
    }

    /// The number that is accepted, or the group with a free entry for it.
    #[inline]
    fn probe(&self, tag: u32, is_it: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mut index = home(tag, self.groups.len());
        loop {
            let group = &self.groups[index];
            let mut candidates = group.equal(tag);
            while candidates != 0 {
                let number = group.numbers[candidates.trailing_zeros() as usize % WIDTH];
                if number != FREE && is_it(number - 1) {
                    return Ok(number - 1);
                }
                candidates &= candidates - 1;
            }
            if !group.is_full() {
                return Err(index);
            }
            index = next(index, self.groups.len());
        }
    }

    #[cold]
    fn grow(&mut self) {
        let len = (self.groups.len() + self.groups.len().div_ceil(2)).max(1);
        let empty = Group { tags: [0; WIDTH], numbers: [FREE; WIDTH] };
        let mut groups = Vec::with_capacity(len);
        advise(&groups);
        groups.resize(len, empty);
        let old = std::mem::replace(&mut self.groups, groups);
        for group in old {
            for (tag, number) in group.tags.into_iter().zip(group.numbers) {
                if number != FREE {
                    let mut index = home(tag, len);
                    while self.groups[index].is_full() {
                        index = next(index, len);
                    }
                    self.groups[index].add(tag, number);
                }
            }
        }
    }
}

impl Group {
    /// A bit for each entry with this tag; free entries may be among them.
    #[inline]
    fn equal(&self, tag: u32) -> u32 {
        let bits = self.tags.iter().enumerate();
        bits.fold(0, |bits, (at, other)| bits | u32::from(*other == tag) << at)
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.numbers[WIDTH - 1] != FREE
    }

    #[inline]
    fn add(&mut self, tag: u32, number: u32) {
        let at = self.numbers.iter().map(|number| usize::from(*number != FREE)).sum::<usize>();
        self.tags[at] = tag;
        self.numbers[at] = number;
    }
}

/// Segment and tag, from different ends of the hash.
#[inline]
fn split(hash: u64) -> (usize, u32) {
    ((hash >> 60) as usize, hash as u32)
}

#[inline]
fn home(tag: u32, len: usize) -> usize {
    ((u64::from(tag) * len as u64) >> 32) as usize
}

#[inline]
fn next(index: usize, len: usize) -> usize {
    if index + 1 == len { 0 } else { index + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(table: &mut TagTable, hash: u64, number: u32) {
        match table.find_or_free(hash, |_| false) {
            Found::At(_) => unreachable!("nothing was accepted"),
            Found::Free(entry) => table.fill(&entry, number),
        }
    }

    #[test]
    fn numbers_with_equal_hashes_are_all_found() {
        for hash in [0, u64::MAX] {
            let mut table = TagTable::default();
            for number in 0..1000 {
                add(&mut table, hash, number);
            }
            for number in 0..1000 {
                assert_eq!(table.find(hash, |found| found == number), Some(number));
            }
            assert_eq!(table.find(hash, |found| found == 1000), None);
            assert_eq!(table.find(!hash, |_| true), None);
        }
    }

    #[test]
    fn growth_loses_nothing() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut table = TagTable::default();
        let hashes: Vec<u64> = (0..50_000).map(|_| random.u64(..)).collect();
        for (number, hash) in (0..).zip(&hashes) {
            add(&mut table, *hash, number);
        }
        for (number, hash) in (0..).zip(&hashes) {
            assert_eq!(table.find(*hash, |found| found == number), Some(number));
        }
        let per_number = table.bytes_used() / 50_000;
        assert!((10..17).contains(&per_number), "{per_number}");
    }
}
