//! The depth of each state.

use crate::{ChunkedVec, StateId};
use std::collections::HashMap;

/// Depths by id: four bytes each, as hardly any exceeds them; those that do are
/// kept apart, so that every depth is exact.
#[derive(Clone, Debug, Default)]
pub struct DepthTable {
    small: ChunkedVec<u32>,
    large: HashMap<StateId, u64>,
}

const LARGE: u32 = u32::MAX;

impl DepthTable {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the next id its depth.
    #[inline]
    pub fn push(&mut self, depth: u64) {
        let id = StateId(self.small.len() as u32);
        self.small.push(LARGE);
        self.set(id, depth);
    }

    /// Changes the depth of an id.
    #[inline]
    pub fn set(&mut self, id: StateId, depth: u64) {
        let small = u32::try_from(depth).unwrap_or(LARGE);
        self.small.set(id.index(), small);
        if small == LARGE {
            self.large.insert(id, depth);
        }
    }

    /// The depth of an id.
    #[inline]
    #[must_use]
    pub fn get(&self, id: StateId) -> u64 {
        match self.small.get(id.index()) {
            LARGE => self.large[&id],
            small => u64::from(small),
        }
    }

    /// Memory allocated.
    #[must_use]
    pub fn bytes_used(&self) -> u64 {
        let entry = size_of::<(StateId, u64)>() + 1;
        self.small.bytes_used() + (self.large.capacity() * entry) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_small_and_large_depths() {
        let depths = [0, 7, u64::from(u32::MAX) - 1, u64::from(u32::MAX), u64::MAX];
        let mut table = DepthTable::new();
        for depth in depths {
            table.push(depth);
        }
        for (id, depth) in (0..).map(StateId).zip(depths) {
            assert_eq!(table.get(id), depth);
        }
        table.set(StateId(4), 3);
        assert_eq!(table.get(StateId(4)), 3);
    }
}
