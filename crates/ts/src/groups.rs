//! Moves taken apart: groups of them that depend on few bytes of a state each.

use std::ops::Range;

/// The bytes of a state that some moves look at or change.
#[derive(Clone, Default, Debug)]
pub struct Footprint {
    ranges: Vec<Range<usize>>,
    varies: bool,
}

impl Footprint {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.ranges.clear();
        self.varies = false;
    }

    /// Says that the group may have another footprint in another state, even if the part of the layout that its
    /// anchor lies in is the same there; of a part of more than eight bytes, its first eight.
    pub fn set_varying(&mut self) {
        self.varies = true;
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
