//! From a hash to the numbers that were filed under it.
//!
//! Open addressing with linear probing in slots of eight bytes: 32 bits of the
//! hash as tag, 32 bits for the number. The slot a tag belongs to follows from the
//! tag alone, in proportion, so a table grows without a look at the keys, in one
//! sweep, by any factor. The whole is cut into segments by other bits of the
//! hash, and these grow one at a time: never are two copies of all needed.

const SEGMENTS: usize = 256;
const FREE: u64 = 0;

/// A multimap from hashes to numbers below `u32::MAX`.
#[derive(Debug)]
pub(crate) struct TagTable {
    segments: Vec<Segment>,
    allocated: usize,
}

#[derive(Clone, Debug, Default)]
struct Segment {
    slots: Vec<u64>,
    used: usize,
}

/// Where a search for a hash ended.
pub(crate) enum Found {
    /// At the number that was accepted.
    At(u32),
    /// At a free slot, which can be filled as long as the table is not changed.
    Free(FreeSlot),
}

/// A place for a new number.
pub(crate) struct FreeSlot {
    segment: usize,
    index: usize,
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
        match self.segments[segment].probe(tag, is_it) {
            Probe::At(number) => Some(number),
            Probe::Free(_) | Probe::NoSlots => None,
        }
    }

    /// As `find`, but makes sure that there is a place to add a number.
    #[inline]
    pub(crate) fn find_or_free(&mut self, hash: u64, is_it: impl Fn(u32) -> bool) -> Found {
        let (at, tag) = split(hash);
        let segment = &mut self.segments[at];
        if segment.used * 4 >= segment.slots.len() * 3 {
            let before = segment.slots.capacity();
            segment.grow();
            self.allocated += (segment.slots.capacity() - before) * size_of::<u64>();
        }
        match segment.probe(tag, is_it) {
            Probe::At(number) => Found::At(number),
            Probe::Free(index) => Found::Free(FreeSlot { segment: at, index, tag }),
            Probe::NoSlots => unreachable!("a segment that has grown has slots"),
        }
    }

    /// Files a number in the slot that was found for it.
    #[inline]
    pub(crate) fn fill(&mut self, slot: &FreeSlot, number: u32) {
        let segment = &mut self.segments[slot.segment];
        segment.slots[slot.index] = pack(slot.tag, number);
        segment.used += 1;
    }

    /// Reads the slot where a search for `hash` begins, for the sake of the cache.
    #[inline]
    pub(crate) fn touch(&self, hash: u64) -> u64 {
        let (at, tag) = split(hash);
        let slots = &self.segments[at].slots;
        slots.get(home(tag, slots.len())).copied().unwrap_or(FREE)
    }
}

enum Probe {
    At(u32),
    Free(usize),
    NoSlots,
}

impl Segment {
    #[inline]
    fn probe(&self, tag: u32, is_it: impl Fn(u32) -> bool) -> Probe {
        let slots = &self.slots[..];
        if slots.is_empty() {
            return Probe::NoSlots;
        }
        let mut index = home(tag, slots.len());
        loop {
            let slot = slots[index];
            if slot == FREE {
                return Probe::Free(index);
            }
            if (slot >> 32) as u32 == tag && is_it(number(slot)) {
                return Probe::At(number(slot));
            }
            index = next(index, slots.len());
        }
    }

    #[cold]
    fn grow(&mut self) {
        let len = (self.slots.len() + self.slots.len() / 2).max(8);
        let old = std::mem::replace(&mut self.slots, vec![FREE; len]);
        for slot in old.into_iter().filter(|slot| *slot != FREE) {
            let mut index = home((slot >> 32) as u32, len);
            while self.slots[index] != FREE {
                index = next(index, len);
            }
            self.slots[index] = slot;
        }
    }
}

/// Segment and tag, from different ends of the hash.
#[inline]
fn split(hash: u64) -> (usize, u32) {
    ((hash >> 56) as usize, hash as u32)
}

#[inline]
fn home(tag: u32, len: usize) -> usize {
    ((u64::from(tag) * len as u64) >> 32) as usize
}

#[inline]
fn next(index: usize, len: usize) -> usize {
    if index + 1 == len { 0 } else { index + 1 }
}

#[inline]
fn pack(tag: u32, number: u32) -> u64 {
    u64::from(tag) << 32 | u64::from(number + 1)
}

#[inline]
fn number(slot: u64) -> u32 {
    slot as u32 - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(table: &mut TagTable, hash: u64, number: u32) {
        match table.find_or_free(hash, |_| false) {
            Found::At(_) => unreachable!("nothing was accepted"),
            Found::Free(slot) => table.fill(&slot, number),
        }
    }

    #[test]
    fn numbers_with_equal_hashes_are_all_found() {
        let mut table = TagTable::default();
        for number in 0..1000 {
            add(&mut table, u64::MAX, number);
        }
        for number in 0..1000 {
            assert_eq!(table.find(u64::MAX, |found| found == number), Some(number));
        }
        assert_eq!(table.find(u64::MAX, |found| found == 1000), None);
        assert_eq!(table.find(0, |_| true), None);
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
        assert!((10..18).contains(&per_number), "{per_number}");
    }
}
