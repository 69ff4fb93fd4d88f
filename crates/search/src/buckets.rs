//! A queue ordered by depth.
//!
//! The successors of one state lie at different depths, as an atomic sequence
//! counts its steps. So there is a queue for each depth, and the least deep one is
//! served first. In a breadth-first search the numbers of new states follow each
//! other, so a queue is a list of ranges and takes next to no memory.

use spinor_store::StateId;
use spinor_ts::{Depth, Violation};
use std::collections::BTreeMap;

/// Everything that waits at one depth.
#[derive(Debug, Default)]
pub(crate) struct Bucket {
    /// Ranges of ids: the first one and how many.
    ranges: Vec<(u32, u32)>,
    /// Hidden bytes of the states, in the same order.
    pub(crate) hidden: Vec<u8>,
    /// Violations that take effect at this depth.
    pub(crate) violations: Vec<Late>,
}

/// A violation that was seen when `parent` was expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    pub(crate) parent: StateId,
    pub(crate) event: u32,
    pub(crate) violation: Violation,
}

impl Bucket {
    #[inline]
    pub(crate) fn push(&mut self, id: StateId, hidden: &[u8]) {
        self.hidden.extend_from_slice(hidden);
        if let Some((first, count)) = self.ranges.last_mut()
            && first.checked_add(*count) == Some(id.0)
        {
            *count += 1;
        } else {
            self.ranges.push((id.0, 1));
        }
    }

    /// The ids in the order of arrival.
    pub(crate) fn ids(&self) -> impl Iterator<Item = StateId> + '_ {
        self.ranges
            .iter()
            .flat_map(|(first, count)| (0..*count).map(move |more| StateId(first + more)))
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        let ranges = self.ranges.capacity() * size_of::<(u32, u32)>();
        let violations = self.violations.capacity() * size_of::<Late>();
        (ranges + violations + self.hidden.capacity()) as u64
    }
}

/// The buckets by depth.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    by_depth: BTreeMap<Depth, Bucket>,
    deepest: Depth,
}

impl Buckets {
    #[inline]
    pub(crate) fn at(&mut self, depth: Depth) -> &mut Bucket {
        self.deepest = self.deepest.max(depth);
        self.by_depth.entry(depth).or_default()
    }

    /// No bucket was ever deeper.
    #[inline]
    pub(crate) fn deepest(&self) -> Depth {
        self.deepest
    }

    /// Takes out the bucket of the smallest depth.
    pub(crate) fn pop(&mut self) -> Option<(Depth, Bucket)> {
        self.by_depth.pop_first()
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        self.by_depth.values().map(Bucket::bytes_used).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_deep_come_first_and_in_order() {
        let mut buckets = Buckets::default();
        for (depth, id) in [(3, 7), (1, 2), (3, 8), (3, 4), (1, 3), (1, 4)] {
            buckets.at(depth).push(StateId(id), &[id as u8]);
        }
        let mut next = || {
            let (depth, bucket) = buckets.pop()?;
            Some((depth, bucket.ids().map(|id| id.0).collect::<Vec<_>>(), bucket.hidden))
        };
        assert_eq!(next(), Some((1, vec![2, 3, 4], vec![2, 3, 4])));
        assert_eq!(next(), Some((3, vec![7, 8, 4], vec![7, 8, 4])));
        assert_eq!(next(), None);
    }
}
