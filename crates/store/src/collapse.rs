//! Tuples in place of states: SPIN's `COLLAPSE`.
//!
//! A state is cut along its layout into components: the globals, each channel, each process. Each
//! position has a table of the values it has had, and the state is kept as the tuple of their
//! numbers, a byte or two each. Looking for a state compares its components with those of
//! the tuple that has the same hash; only a new one is looked up in the tables.

mod codec;
mod components;

use crate::blocks::{Blocks, Number, Writer};
use crate::concurrent::{Found, Table};
use crate::hash::hash;
use crate::{Insertion, Store};
pub use codec::{Collapser, CollapserLocal};
use spinor_ts::LayoutOf;
use std::sync::Arc;

/// Few, for large pages.
const SEGMENTS: usize = 8;

/// A set that keeps the components of states once, and never errs.
#[derive(Debug)]
pub struct Collapse {
    collapser: Collapser,
    tuples: Arc<Blocks>,
    table: Table,
}

/// What a thread has for itself.
#[derive(Debug)]
pub struct CollapseLocal {
    parts: CollapserLocal,
    writer: Writer,
    tuple: Vec<u8>,
}

impl Collapse {
    /// An empty one for states of these layouts.
    #[must_use]
    pub fn new(layouts: LayoutOf) -> Self {
        let collapser = Collapser::new(layouts);
        Self { collapser, tuples: Arc::new(Blocks::new()), table: Table::new(SEGMENTS) }
    }
}

impl Store for Collapse {
    type Key = u64;
    type Ref = Number;
    type Local = CollapseLocal;
    type Identity = ();

    const KEY_IS_STATE: bool = false;
    const KEEPS_STATES: bool = true;

    fn name(&self) -> &'static str {
        "collapse"
    }

    fn local(&self) -> CollapseLocal {
        CollapseLocal {
            parts: self.collapser.local(),
            writer: Writer::new(&self.tuples),
            tuple: Vec::new(),
        }
    }

    #[inline]
    fn set_origin(&self, _local: &mut CollapseLocal, _state: &[u8]) {}

    #[inline]
    fn load(&self, local: &mut CollapseLocal, state: Number, out: &mut Vec<u8>) {
        self.collapser.decode(&mut local.parts, self.tuples.get(state), out);
    }

    fn load_key(&self, _local: &mut CollapseLocal, _key: u64, _out: &mut Vec<u8>) {
        unreachable!("keys are hashes");
    }

    #[inline]
    fn key(&self, _local: &mut CollapseLocal, state: &[u8]) -> u64 {
        let hash = hash(state);
        self.table.prefetch(tag(hash));
        hash
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        if let Some(entry) = self.table.first(tag(key)) {
            self.tuples.prefetch(number(entry));
        }
    }

    #[inline]
    fn insert(&self, local: &mut CollapseLocal, key: u64, state: &[u8]) -> Insertion<Number> {
        if self.contains(local, key, state) {
            return Insertion::Known;
        }
        let CollapseLocal { parts, writer, tuple } = local;
        self.collapser.encode(parts, state, tuple);
        // Two tuples are equal if the states are.
        let is_it = |entry| self.tuples.get(number(entry)) == &**tuple;
        let make = || entry(tag(key), writer.write(tuple));
        match self.table.find_or_insert(tag(key), is_it, make) {
            Found::At(_) | Found::Lost { .. } => Insertion::Known,
            Found::Added(entry) => {
                local.writer.keep(local.tuple.len());
                Insertion::New(number(entry))
            }
        }
    }

    #[inline]
    fn contains(&self, local: &mut CollapseLocal, key: u64, state: &[u8]) -> bool {
        let CollapseLocal { parts, .. } = local;
        let is_it = |entry| self.collapser.is_of(parts, self.tuples.get(number(entry)), state);
        self.table.find(tag(key), is_it).is_some()
    }

    fn quiesce(&self) {
        self.table.quiesce();
        self.collapser.quiesce();
    }

    fn bytes_used(&self) -> u64 {
        self.tuples.bytes_used() + self.table.bytes_used() + self.collapser.bytes_used()
    }

    fn is_nearly_full(&self) -> bool {
        self.tuples.are_nearly_used_up() || self.collapser.is_nearly_full()
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
    use spinor_ts::Layout;

    /// Layouts of all kinds, sensible or not.
    fn make() -> Collapse {
        Collapse::new(Arc::new(|state: &[u8]| match state.first() {
            Some(0) => Layout { prefix: 1, ends: vec![state.len()], seams: Vec::new() },
            Some(1) => Layout { prefix: 2, ends: vec![1, 3, 5, 9, 1000], seams: Vec::new() },
            _ => Layout { prefix: 1, ends: vec![state.len() / 2, state.len()], seams: Vec::new() },
        }))
    }

    #[test]
    fn equals_a_map() {
        stress::equals_a_map(make);
    }

    #[test]
    fn threads_agree() {
        stress::threads_agree(make);
    }

    #[test]
    fn memory_is_that_of_tuples() {
        let ends = vec![40, 80, 120];
        let store = Collapse::new(Arc::new(move |_: &[u8]| Layout {
            prefix: 0,
            ends: ends.clone(),
            seams: Vec::new(),
        }));
        let mut local = store.local();
        for number in 0..500_000_u32 {
            let part = |shift: u32| [((number >> shift) % 100) as u8; 40];
            let mut state = [part(0), part(7), part(14)].concat();
            state[0..4].copy_from_slice(&(number % 79).to_le_bytes());
            state[40..44].copy_from_slice(&(number / 79 % 79).to_le_bytes());
            state[80..84].copy_from_slice(&(number / 79 / 79).to_le_bytes());
            let key = store.key(&mut local, &state);
            assert!(matches!(store.insert(&mut local, key, &state), Insertion::New(_)));
        }
        store.quiesce();
        let per_state = store.bytes_used() as f64 / 5e5;
        assert!(per_state < 60.0, "{per_state}");
    }
}
