//! One mark per state.

use crate::{ChunkedVec, StateId};

/// A set of state ids, one bit each.
#[derive(Clone, Debug, Default)]
pub struct BitSet {
    words: ChunkedVec<u64>,
}

impl BitSet {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an id.
    pub fn set(&mut self, id: StateId) {
        let (word, bit) = place(id);
        while self.words.len() <= word {
            self.words.push(0);
        }
        self.words.set(word, self.words.get(word) | bit);
    }

    /// Removes an id.
    pub fn clear(&mut self, id: StateId) {
        let (word, bit) = place(id);
        if word < self.words.len() {
            self.words.set(word, self.words.get(word) & !bit);
        }
    }

    /// Whether an id is in the set.
    #[must_use]
    pub fn contains(&self, id: StateId) -> bool {
        let (word, bit) = place(id);
        word < self.words.len() && self.words.get(word) & bit != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| word == 0)
    }

    /// The ids in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = StateId> + '_ {
        let words = self.words.iter().enumerate();
        words.filter(|(_, word)| *word != 0).flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| {
                let id = at as u64 * 64 + bit;
                StateId(u32::try_from(id).expect("only ids are put in"))
            })
        })
    }

    /// Memory allocated.
    #[must_use]
    pub fn bytes_used(&self) -> u64 {
        self.words.bytes_used()
    }
}

fn place(id: StateId) -> (usize, u64) {
    (id.index() / 64, 1 << (id.0 % 64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn behaves_like_a_set() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut ours = BitSet::new();
        let mut theirs = BTreeSet::new();
        for _ in 0..5_000 {
            let id = StateId(random.u32(..3_000));
            if random.bool() {
                ours.set(id);
                theirs.insert(id);
            } else {
                ours.clear(id);
                theirs.remove(&id);
            }
            let other = StateId(random.u32(..4_000));
            assert_eq!(ours.contains(other), theirs.contains(&other));
        }
        assert_eq!(ours.iter().collect::<BTreeSet<_>>(), theirs);
        assert_eq!(ours.is_empty(), theirs.is_empty());
    }
}
