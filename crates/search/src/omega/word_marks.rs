//! Marks of states in the automaton of the visited set.
//!
//! A byte behind the state says which of the two searches has met it. Only the states on the way
//! of the first search are in a table of their own.

use super::{Look, Marking};
use hashbrown::HashMap;
use spinor_store::{Automaton, Store};
use spinor_ts::{Incomplete, Stats};

const ONCE: u8 = 0;
const TWICE: u8 = 1;

/// Marks that a nested search needs, in an automaton.
#[derive(Debug)]
pub struct WordMarks<'s> {
    store: &'s Automaton,
    word: Vec<u8>,
    on_the_way: HashMap<Box<[u8]>, bool>,
    /// Memory of their states.
    way_bytes: u64,
}

impl<'s> WordMarks<'s> {
    /// None yet; `store` has to be empty.
    #[must_use]
    pub fn new(store: &'s Automaton) -> Self {
        Self { store, word: Vec::new(), on_the_way: HashMap::new(), way_bytes: 0 }
    }

    fn word(&mut self, state: &[u8], mark: u8) -> &[u8] {
        self.word.clear();
        self.word.extend_from_slice(state);
        self.word.push(mark);
        &self.word
    }
}

impl Marking for WordMarks<'_> {
    type Key = u64;

    const KEY_IS_STATE: bool = false;

    fn set_origin(&mut self, _state: &[u8]) {}

    fn set_origin_keyed(&mut self, _key: u64, _state: &[u8]) {}

    fn key(&mut self, state: &[u8]) -> u64 {
        spinor_store::hash(state)
    }

    fn prefetch(&self, _key: u64) {}

    fn load_key(&mut self, _key: u64, _out: &mut Vec<u8>) {
        unreachable!("keys are hashes");
    }

    fn look(&mut self, _key: u64, state: &[u8]) -> Look {
        let store = self.store;
        if !store.has(self.word(state, ONCE)) {
            Look::Unknown
        } else if let Some(is_accepting) = self.on_the_way.get(state) {
            Look::OnTheWay { is_accepting: *is_accepting }
        } else if store.has(self.word(state, TWICE)) {
            Look::Twice
        } else {
            Look::Once
        }
    }

    fn meet(&mut self, _key: u64, state: &[u8]) -> bool {
        let store = self.store;
        store.add(self.word(state, ONCE))
    }

    fn meet_again(&mut self, _key: u64, state: &[u8]) -> bool {
        let store = self.store;
        // One that the first search does not know lies beyond a bound.
        store.has(self.word(state, ONCE)) && store.add(self.word(state, TWICE))
    }

    fn enter(&mut self, _key: u64, state: &[u8], is_accepting: bool) {
        if self.on_the_way.insert(state.into(), is_accepting).is_none() {
            self.way_bytes += state.len() as u64 + 16;
        }
    }

    fn leave(&mut self, _key: u64, state: &[u8]) {
        if self.on_the_way.remove(state).is_some() {
            self.way_bytes -= state.len() as u64 + 16;
        }
    }

    fn is_nearly_full(&self) -> bool {
        self.store.is_nearly_full()
    }

    fn bytes_used(&self) -> u64 {
        self.store.bytes_used() + self.on_the_way.allocation_size() as u64 + self.way_bytes
    }

    fn note_loss(&self, _stats: &mut Stats) -> Option<Incomplete> {
        None
    }
}
