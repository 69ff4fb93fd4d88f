//! The exact set: every state in full.

use crate::arena::Arena;
use crate::hash::hash;
use crate::table::{Found, TagTable};
use crate::{Inserted, StateId, Visited};

/// A visited set that keeps all bytes of all states and never errs.
#[derive(Debug, Default)]
pub struct ExactStore {
    states: Arena,
    numbers: TagTable,
}

impl ExactStore {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Visited for ExactStore {
    #[inline]
    fn insert_hashed(&mut self, key: &[u8], hash: u64) -> Inserted {
        let Self { states, numbers } = self;
        let is_key = |number: u32| states.get(number as usize) == key;
        match numbers.find_or_free(hash, is_key) {
            Found::At(number) => Inserted { id: StateId(number), is_new: false },
            Found::Free(slot) => {
                let number = states.len() as u32;
                assert!(number < u32::MAX, "the visited set is full");
                numbers.fill(&slot, number);
                states.push(key);
                Inserted { id: StateId(number), is_new: true }
            }
        }
    }

    fn find(&self, key: &[u8]) -> Option<StateId> {
        let is_key = |number: u32| self.states.get(number as usize) == key;
        self.numbers.find(hash(key), is_key).map(StateId)
    }

    fn get(&self, id: StateId, out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(self.states.get(id.index()));
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        self.numbers.prefetch(hash);
    }

    #[inline]
    fn prefetch_state(&self, hash: u64) {
        if let Some(number) = self.numbers.first(hash) {
            self.states.prefetch(number as usize);
        }
    }

    fn len(&self) -> u64 {
        self.states.len() as u64
    }

    fn bytes_used(&self) -> u64 {
        self.states.bytes_used() + self.numbers.bytes_used()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Random keys, many of them equal, against a map of the standard library.
    fn check(seed: u64, keys: usize, key: impl Fn(&mut fastrand::Rng) -> Vec<u8>) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut store = ExactStore::new();
        let mut expected: HashMap<Vec<u8>, StateId> = HashMap::new();
        for _ in 0..keys {
            let key = key(&mut random);
            assert_eq!(store.find(&key), expected.get(&key).copied());
            store.prefetch(store.hash(&key));
            store.prefetch_state(store.hash(&key));
            let fresh = StateId(expected.len() as u32);
            let id = *expected.entry(key.clone()).or_insert(fresh);
            assert_eq!(store.insert(&key), Inserted { id, is_new: id == fresh });
        }
        assert_eq!(store.len(), expected.len() as u64);
        let mut bytes = vec![1, 2, 3];
        for (key, id) in &expected {
            store.get(*id, &mut bytes);
            assert_eq!(&bytes, key);
            assert_eq!(store.find(key), Some(*id));
        }
        let content: usize = expected.keys().map(|key| key.len() + 8).sum();
        assert!(store.bytes_used() >= content as u64);
    }

    #[test]
    fn equals_a_map() {
        for seed in 0..20 {
            check(seed, 3_000, |random| {
                let length = random.usize(..4);
                (0..length).map(|_| random.u8(..12)).collect()
            });
        }
        check(100, 200_000, |random| random.u32(..150_000).to_le_bytes().to_vec());
        check(101, 300, |random| vec![random.u8(..100); 50_000 + random.usize(..2)]);
    }

    #[test]
    fn starts_empty() {
        let store = ExactStore::new();
        assert!(store.is_empty());
        assert_eq!(store.find(b""), None);
        assert!(store.bytes_used() < 20_000);
    }
}
