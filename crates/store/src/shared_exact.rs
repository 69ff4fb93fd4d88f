//! The exact shared set: every state in full.

use crate::blocks::{Blocks, Number, Writer};
use crate::concurrent::{Found, Table};
use crate::equal::equal;
use crate::hash::hash;
use crate::{Insertion, Store};
use std::sync::Arc;

/// Few, for large pages.
const SEGMENTS: usize = 8;

/// A set that keeps all bytes of all states and never errs.
///
/// An entry of the table is half of the state's hash and the number under which its
/// bytes lie; they are written before the entry is published.
#[derive(Debug)]
pub struct SharedExact {
    states: Arc<Blocks>,
    table: Table,
}

/// A thread's memory for new states.
#[derive(Debug)]
pub struct SharedExactLocal {
    writer: Writer,
}

impl SharedExact {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self { states: Arc::new(Blocks::new()), table: Table::new(SEGMENTS) }
    }

    /// Calls `visit` for every state, in no particular order. States that are inserted
    /// meanwhile may be missed.
    pub fn for_each_state(&self, mut visit: impl FnMut(&[u8])) {
        self.table.for_each(|entry| visit(self.states.get(number(entry))));
    }
}

impl Default for SharedExact {
    fn default() -> Self {
        Self::new()
    }
}

impl Store for SharedExact {
    type Key = u64;
    type Ref = Number;
    type Local = SharedExactLocal;
    type Identity = ();

    const KEY_IS_STATE: bool = false;
    const KEEPS_STATES: bool = true;

    fn name(&self) -> &'static str {
        "exact"
    }

    fn local(&self) -> SharedExactLocal {
        SharedExactLocal { writer: Writer::new(&self.states) }
    }

    #[inline]
    fn set_origin(&self, _local: &mut SharedExactLocal, _state: &[u8]) {}

    #[inline]
    fn load(&self, _local: &mut SharedExactLocal, state: Number, out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(self.states.get(state));
    }

    fn load_key(&self, _local: &mut SharedExactLocal, _key: u64, _out: &mut Vec<u8>) {
        unreachable!("keys are hashes");
    }

    #[inline]
    fn key(&self, _local: &mut SharedExactLocal, state: &[u8]) -> u64 {
        let hash = hash(state);
        self.table.prefetch(tag(hash));
        hash
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        if let Some(entry) = self.table.first(tag(key)) {
            self.states.prefetch(number(entry));
        }
    }

    #[inline]
    fn insert(&self, local: &mut SharedExactLocal, key: u64, state: &[u8]) -> Insertion<Number> {
        let is_it = |entry| equal(self.states.get(number(entry)), state);
        let make = || entry(tag(key), local.writer.write(state));
        match self.table.find_or_insert(tag(key), is_it, make) {
            // A string that lost the race is not kept.
            Found::At(_) | Found::Lost { .. } => Insertion::Known,
            Found::Added(entry) => {
                local.writer.keep(state.len());
                Insertion::New(number(entry))
            }
        }
    }

    #[inline]
    fn contains(&self, _local: &mut SharedExactLocal, key: u64, state: &[u8]) -> bool {
        let is_it = |entry| equal(self.states.get(number(entry)), state);
        self.table.find(tag(key), is_it).is_some()
    }

    fn quiesce(&self) {
        self.table.quiesce();
    }

    fn bytes_used(&self) -> u64 {
        self.states.bytes_used() + self.table.bytes_used()
    }

    fn is_nearly_full(&self) -> bool {
        self.states.are_nearly_used_up()
    }
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// The lower half is one more than the number, so that no entry is zero.
fn entry(tag: u32, number: Number) -> u64 {
    u64::from(tag) << 32 | (u64::from(number.0) + 1)
}

fn number(entry: u64) -> Number {
    Number(entry as u32 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress;

    #[test]
    fn equals_a_map() {
        stress::equals_a_map(SharedExact::new);
    }

    #[test]
    fn threads_agree() {
        stress::threads_agree(SharedExact::new);
    }

    #[test]
    fn lists_its_states() {
        let store = SharedExact::new();
        let mut local = store.local();
        for number in 0..5_000_u32 {
            let state = number.to_le_bytes();
            let key = store.key(&mut local, &state);
            store.insert(&mut local, key, &state);
        }
        let mut states = Vec::new();
        store.for_each_state(|state| {
            states.push(u32::from_le_bytes(state.try_into().expect("four bytes")));
        });
        states.sort_unstable();
        assert_eq!(states, (0..5_000).collect::<Vec<_>>());
    }

    #[test]
    fn memory_is_in_proportion() {
        let store = SharedExact::new();
        assert!(store.bytes_used() < 20_000);
        let mut local = store.local();
        for number in 0..1_000_000_u64 {
            let state = [number, 7, 7].map(u64::to_le_bytes).concat();
            let key = store.key(&mut local, &state);
            store.insert(&mut local, key, &state);
        }
        store.quiesce();
        let per_state = store.bytes_used() as f64 / 1e6;
        assert!((33.0..44.0).contains(&per_state), "{per_state}");
        assert!(!store.is_nearly_full());
    }
}
