//! The states that wait, by rank.
//!
//! A queue per rank: ranks are small numbers and many states share one. Of equal rank, those
//! with the smaller estimate come first, and of these the youngest.

use spinor_store::StateId;
use spinor_ts::Depth;
use std::collections::BTreeMap;

/// A state that waits with the depth it was reached at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) id: StateId,
    pub(super) depth: Depth,
    pub(super) estimate: u32,
}

/// Rank and estimate.
type Place = (u64, u32);

/// The open list.
#[derive(Debug, Default)]
pub(super) struct Open {
    buckets: BTreeMap<Place, Vec<Waiting>>,
    /// Memory of emptied buckets, to be used again.
    spare: Vec<Vec<Waiting>>,
    len: usize,
    elements: usize,
}

/// Emptied buckets that are kept.
const MAX_SPARE: usize = 64;

impl Open {
    #[inline]
    pub(super) fn push(&mut self, rank: u64, waiting: Waiting) {
        let spare = &mut self.spare;
        let new = || spare.pop().unwrap_or_default();
        let bucket = self.buckets.entry((rank, waiting.estimate)).or_insert_with(new);
        let before = bucket.capacity();
        bucket.push(waiting);
        self.elements += bucket.capacity() - before;
        self.len += 1;
    }

    /// The smallest rank.
    #[inline]
    pub(super) fn rank(&self) -> Option<u64> {
        self.buckets.first_key_value().map(|((rank, _), _)| *rank)
    }

    /// How many states are as good as the best one.
    #[inline]
    pub(super) fn best_count(&self) -> usize {
        self.buckets.first_key_value().map_or(0, |(_, bucket)| bucket.len())
    }

    /// Takes the best state out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let mut first = self.buckets.first_entry()?;
        let waiting = first.get_mut().pop()?;
        self.len -= 1;
        if first.get().is_empty() {
            let bucket = first.remove();
            if self.spare.len() < MAX_SPARE {
                self.spare.push(bucket);
            } else {
                self.elements -= bucket.capacity();
            }
        }
        Some(waiting)
    }

    pub(super) fn bytes_used(&self) -> u64 {
        let maps = self.buckets.len() * size_of::<(Place, Vec<Waiting>)>();
        (self.elements * size_of::<Waiting>() + maps) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first() {
        let mut open = Open::default();
        let states = [(5, 1, 0), (3, 3, 1), (3, 2, 2), (9, 0, 3), (3, 2, 4)];
        for (rank, estimate, id) in states {
            open.push(rank, Waiting { id: StateId(id), depth: 0, estimate });
        }
        assert_eq!(open.rank(), Some(3));
        let ids: Vec<u32> = std::iter::from_fn(|| open.pop().map(|w| w.id.0)).collect();
        assert_eq!(ids, [4, 2, 1, 0, 3]);
        assert_eq!((open.rank(), open.len), (None, 0));
    }
}
