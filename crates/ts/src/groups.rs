//! Moves taken apart: groups of them that depend on few bytes of a state each.

use std::ops::Range;

/// The bytes of a state that some moves look at or change.
#[derive(Clone, Default, Debug)]
pub struct Footprint {
    ranges: Vec<Range<usize>>,
    deciders: Vec<Range<usize>>,
    varies: bool,
}

impl Footprint {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.ranges.clear();
        self.deciders.clear();
        self.varies = false;
    }

    /// Says that the group may have another footprint in a state where these bytes, which it looks at, are
    /// others.
    pub fn add_decider(&mut self, bytes: Range<usize>) {
        self.add(bytes.clone());
        if !self.deciders.contains(&bytes) {
            self.deciders.push(bytes);
        }
    }

    /// All bytes of that kind, in no order.
    #[must_use]
    pub fn deciders(&self) -> &[Range<usize>] {
        &self.deciders
    }

    /// Says that the group may have another footprint in another state, even if the part of the layout that its
    /// anchor lies in is the same there (of a part of more than eight bytes, its first eight), and all deciders.
    pub fn set_varying(&mut self) {
        self.varies = true;
    }

    /// How many bytes it has.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let mut ranges = self.ranges.clone();
        ranges.sort_unstable_by_key(|range| range.start);
        let mut end = 0;
        let own = |range: &Range<usize>| {
            let start = range.start.max(end);
            end = end.max(range.end);
            end - start.min(end)
        };
        ranges.iter().map(own).sum()
    }

    /// Whether that was said.
    #[must_use]
    pub fn varies(&self) -> bool {
        self.varies
    }

    /// Adds some bytes.
    pub fn add(&mut self, bytes: Range<usize>) {
        if !bytes.is_empty() && self.ranges.last() != Some(&bytes) {
            self.ranges.push(bytes);
        }
    }

    /// All bytes, in no order; some may be there more than once.
    #[must_use]
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }
}

/// What is known of the moves of one group in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupMoves {
    /// They depend on the footprint alone: in every state of the same layout with the same bytes
    /// there the group has the same successors, but for the bytes elsewhere, which stay as they are.
    Local,
    /// They may depend on anything.
    Global,
    /// They cannot be told apart from those of the others: the state is to be expanded as a whole.
    Inseparable,
}
